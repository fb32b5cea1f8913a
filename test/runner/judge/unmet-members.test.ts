/** A matcher of an object or array names the members that differ, each with both values. */
import t from 'tap'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import type { Matcher } from '../../../record/types/resolved-row.js'
import { answerOf } from '../../../runner/judge/answer.js'
import { evaluateCheck } from '../../../runner/judge/evaluate-check.js'
import { evaluate } from '../../../runner/judge/evaluate-matcher.js'

/** `pointer check wanted, found`. */
const unmet = (matcher: Matcher, actual: JsonValue | undefined): string[] =>
  evaluate(matcher, actual, new Map()).flatMap(({ pointer, check, wanted, found, met }) =>
    met ? [] : [`${pointer} ${check} ${wanted.join()}, found ${found.join() || 'nothing'}`],
  )

t.test('an equal object names each member that differs, lacks or is additional', async (t) => {
  const wanted = { owner: 'alice', 'a/b': { amount: 1, same: true }, note: 'x' }
  t.strictSame(unmet({ equals: wanted }, { owner: 'bob', 'a/b': { amount: 2, same: true }, more: 7 }), [
    '/owner equals "alice", found "bob"',
    '/a~1b/amount equals 1, found 2',
    '/note equals "x", found nothing',
  ])
  t.strictSame(unmet({ equals: { a: 1 } }, { a: 1, more: [7] }), ['/more present false, found [7]'])
  t.strictSame(unmet({ equals: { a: 1 } }, '{"a":1}'), [' equals {"a":1}, found "{\\"a\\":1}"'])
})

t.test('an equal array names items unless items are additional or missing', async (t) => {
  t.strictSame(unmet({ equals: [1, { a: 2 }] }, [1, { a: 3 }]), ['/1/a equals 2, found 3'])
  t.strictSame(unmet({ equals: [] }, [1, 2]), [' equals [], found [1,2]'])
})

t.test('an object that must include others ignores additional members', async (t) => {
  t.strictSame(unmet({ includes: { a: { b: 1, c: {} } } }, { a: { b: 2, d: 3 } }), [
    '/a/b equals 1, found 2',
    '/a/c includes {}, found nothing',
  ])
})

t.test('matchers at pointers, and of each item, keep their names', async (t) => {
  const at = { '/code': { equals: 'X' }, '/context': { type: 'object' }, '/id': { type: 'string', optional: true } }
  t.strictSame(unmet({ at }, { code: 'Y', context: [], id: null }), [
    '/code equals "X", found "Y"',
    '/context type "object", found []',
  ])
  t.strictSame(unmet({ each: { at } }, [{ code: 'X', context: {} }, { code: 'X' }]), [
    '/1/context type "object", found nothing',
  ])
  t.strictSame(unmet({ at: { '/id': { type: 'string', empty: false } } }, { id: 7 }), ['/id type "string", found 7'])
  t.match(unmet({ at }, undefined), [/^ at \{.*found nothing$/])
  t.match(unmet({ each: { type: 'string' } }, []), [/^ each \{.*found \[\]$/])
})

t.test('of the items of which one must match, only the one that stands out is named', async (t) => {
  const some = { includes: { id: 'b' }, at: { '/until': { equals: 7 } } }
  const others = [{ id: 'a', until: 1 }, { id: 'c' }]
  t.strictSame(unmet({ some }, [...others, { id: 'b', until: 8 }]), ['/2/until equals 7, found 8'])
  t.match(unmet({ some }, others), [/^ some /])
  t.match(unmet({ some }, [{ id: 'b', until: 8 }, { id: 'b' }]), [/^ some /])
})

t.test('at most three members are named, and values of any depth have a finding', async (t) => {
  const numbered = (add: number): JsonValue => Array.from({ length: 9 }, (_, index) => index + add)
  t.equal(unmet({ equals: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, numbered(3)).length, 3)
  const deep = parseJson(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
  t.match(unmet({ includes: { a: 1 } }, deep), [/^\/a equals 1, found \{"a":/])
})

t.test('a finding about an answer names the member by its place in the body', async (t) => {
  const text = '{"transaction":{"offset":7,"events":[]}}'
  const evidence: Evidence = {
    step: 0,
    role: 'act',
    request: { method: 'POST', url: 'http://a/b', headers: [] },
    response: { status: 200, headers: [], body: { text, bytes: text.length } },
    startedAt: '',
    milliseconds: 0,
  }
  const answer = answerOf(evidence)
  if (!answer) throw new Error('the evidence has an answer')
  const check = { on: 'body', pointer: '/transaction', matcher: { includes: { offset: 8 } } } as const
  t.strictSame(evaluateCheck({ ...check, optional: ['/transaction'] }, answer, new Map()), [
    { subject: 'body', pointer: '/transaction/offset', check: 'equals', wanted: ['8'], found: ['7'], met: false },
  ])
})
