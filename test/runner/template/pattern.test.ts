import t from 'tap'
import { matchesPattern } from '../../../runner/template/pattern.js'

/** Milliseconds. */
const limit = 50

t.test('a pattern matches the whole text, with or without a time limit', async (t) => {
  for (const pattern of ['a|b', '(?:a|b)+']) {
    t.ok(matchesPattern(pattern, 'b'), pattern)
    t.notOk(matchesPattern(pattern, 'bc'), pattern)
  }
  t.ok(matchesPattern('a.b', 'a\nb'), 'a dot matches each character')
  t.throws(() => matchesPattern('(', 'a'), SyntaxError)
})

t.test('a pattern with much backtracking is stopped', async (t) => {
  const slow = [
    ['(a+)+b', 60],
    ['(a|a){30}b', 30],
    ['a*a*a*a*b', 1000],
    ['a{0,999}a?a*a*b', 1000],
    ['a*a*b', 100_000],
  ] as const
  for (const [pattern, letters] of slow)
    t.throws(() => matchesPattern(pattern, 'a'.repeat(letters), limit), { name: 'UndecidedPattern' }, pattern)
  t.ok(matchesPattern('(a+)+b', 'ab', limit), 'the next one is matched')
})
