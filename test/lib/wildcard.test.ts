import t from 'tap'
import { wildcard, wildcardIn } from '../../lib/wildcard.js'

t.test('* matches any text, and other characters themselves', async (t) => {
  const lines: [pattern: string, matching: string[], others: string[]][] = [
    ['SAW-*', ['SAW-', 'SAW-A'], ['saw-a', 'ASAW-A']],
    ['*a*b', ['ab', 'xaxb', 'abab'], ['ba', 'abx']],
    ['ab*ba', ['abba', 'abxba'], ['aba', 'ab']],
    ['a.c', ['a.c'], ['abc', 'a.c ']],
    ['*', ['', 'a\nb'], []],
    ['a*b*c', ['abc', 'a-b-b-c', 'a\nb\nc'], ['ac', 'acb']],
    ['', [''], ['a']],
  ]
  for (const [pattern, matching, others] of lines) {
    const matches = wildcard(pattern)
    t.strictSame(matching.filter(matches), matching, pattern)
    t.strictSame(others.filter(matches), [], pattern)
  }
})

t.test('a part of a text', async (t) => {
  t.ok(wildcardIn('b')('abc'))
  t.ok(wildcardIn('a*c')('xabcx'))
  t.notOk(wildcardIn('c*a')('abc'))
})

t.test('each part of a pattern is searched once', async (t) => {
  const searches: string[] = []
  const text = Object.assign(Object('ab'.repeat(1000)), {
    indexOf(part: string, from: number) {
      searches.push(part)
      return String.prototype.indexOf.call(this, part, from)
    },
  })
  t.notOk(wildcard(`${'*'.repeat(100_000)}a*b*x*`)(text))
  t.strictSame(searches, ['a', 'b', 'x'])
})
