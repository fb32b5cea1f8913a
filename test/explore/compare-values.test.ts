/** Comparison of two values under a correspondence of ids. */
import t from 'tap'
import { withoutOtherRows } from '../../explore/compare/compare-answers.js'
import { compareValues } from '../../explore/compare/compare-values.js'
import { Correspondence } from '../../explore/compare/correspondence.js'
import { stepOf } from '../../explore/generate/draft-step.js'
import type { JsonValue } from '../../lib/json/json.js'

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
const [update, other, third] = [`1220${a}`, `1220${b}`, `1220${'c'.repeat(64)}`]
const now = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

const compared = (...pairs: [reference: JsonValue, target: JsonValue][]): string[] => {
  const ids = new Correspondence()
  return pairs.flatMap(([reference, target]) =>
    compareValues(reference, target, ids).map(({ pointer, level }) => `${level} ${pointer}`),
  )
}

t.test('ids correspond one to one in a whole sequence', async (t) => {
  t.strictSame(compared([{ id: update }, { id: other }], [{ x: update }, { x: other }]), [])
  t.strictSame(compared([{ id: update }, { id: other }], [{ x: update }, { x: third }]), ['value /x'])
  t.strictSame(compared([{ id: update }, { id: other }], [{ x: third }, { x: other }]), ['value /x'])
  t.strictSame(compared([{ party: `alice::${update}` }, { party: `alice::${other}` }]), [])
  t.strictSame(compared([{ party: `alice::${update}` }, { party: `bob::${other}` }]), ['value /party'])
})

t.test('package ids are equal on both sides', async (t) => {
  t.strictSame(compared([{ packageId: a }, { packageId: b }]), ['value /packageId'])
  t.strictSame(compared([{ externalTransactionHash: a }, { externalTransactionHash: b }]), [])
  t.strictSame(compared([{ transactionHash: a }, { transactionHash: b }]), [])
})

t.test('offsets correspond by order, serials by distance on one synchronizer', async (t) => {
  t.strictSame(
    compared([{ offset: 10 }, { offset: 30 }], [{ offset: 12 }, { offset: 39 }], [{ offset: 10 }, { offset: 30 }]),
    [],
  )
  t.strictSame(compared([{ offset: 10 }, { offset: 30 }], [{ offset: 12 }, { offset: 29 }]), ['value /offset'])
  t.strictSame(compared([{ completionOffset: 10 }, { completionOffset: 0 }]), ['value /completionOffset'])
  const serial = (synchronizerId: string, topologySerial: number): JsonValue => ({ synchronizerId, topologySerial })
  t.strictSame(
    compared([serial('x', 3), serial('x', 7)], [serial('x', 4), serial('x', 8)], [serial('y', 9), serial('y', 1)]),
    [],
  )
  t.strictSame(compared([serial('x', 3), serial('x', 7)], [serial('x', 4), serial('x', 9)]), ['value /topologySerial'])
})

t.test('other clients may move a ledger end', async (t) => {
  const end = (reference: number, target: number): [JsonValue, JsonValue] => [{ offset: reference }, { offset: target }]
  const own = (reference: number, target: number): [JsonValue, JsonValue] => [
    { completionOffset: reference },
    { completionOffset: target },
  ]
  t.strictSame(compared(own(10, 20), end(10, 25), own(11, 26)), [])
  t.strictSame(compared(own(10, 20), end(12, 20)), [])
  t.strictSame(compared(own(10, 20), end(9, 25)), ['value /offset'])
  t.strictSame(compared(own(10, 20), own(10, 25)), ['value /completionOffset'])
})

t.test('clock readings are ids, other timestamps are values', async (t) => {
  const [first, second] = [now(0), now(5)]
  t.strictSame(
    compared([
      { a: first, b: first },
      { a: second, b: second },
    ]),
    [],
  )
  t.strictSame(
    compared([
      { a: first, b: first },
      { a: second, b: first },
    ]),
    ['value /b'],
  )
  t.strictSame(compared([{ a: '2000-01-01T00:00:00Z' }, { a: '2000-01-01T00:00:01Z' }]), ['value /a'])
  t.strictSame(compared([{ a: first }, { a: '2000-01-01T00:00:00Z' }]), ['value /a'])
})

t.test('compares shape and population, but neither order in sets nor wording', async (t) => {
  t.strictSame(compared([{ a: 1 }, {}]), ['shape /a'])
  t.strictSame(compared([{}, { a: null }]), ['shape /a'])
  t.strictSame(compared([{ a: '' }, { a: null }]), ['shape /a'])
  t.strictSame(compared([{ a: [1, 2] }, { a: [2, 1] }]), ['value /a/0', 'value /a/1'])
  t.strictSame(compared([{ signatories: ['x', 'y'] }, { signatories: ['y', 'x'] }]), [])
  t.strictSame(compared([{ signatories: ['x', 'y'] }, { signatories: ['x', 'x'] }]), ['value /signatories'])
  t.strictSame(compared([{ cause: 'one' }, { cause: 'another' }]), [])
  t.strictSame(compared([{ createdEventBlob: 'AAAA' }, { createdEventBlob: '' }]), ['shape /createdEventBlob'])
  t.strictSame(compared([{ int: '9007199254740993' }, { int: '9007199254740992' }]), ['value /int'])
})

t.test('the names of participants correspond like their digests', (t) => {
  const ids = new Correspondence()
  const [own, named] = [`sandbox::${update}`, `participant1::${other}`]
  const differs = (reference: string, target: string) => compareValues({ x: reference }, { x: target }, ids).length > 0
  t.ok(differs(own, named))
  ids.bindName(own, named)
  t.notOk(differs(`by PAR::${own}`, `by PAR::${named}`))
  t.ok(differs(`by PAR::${own}`, `by PAR::another::${other}`))
  t.ok(differs(`sandbox::${third}`, `participant1::${update}`), 'another digest has another name')
  t.end()
})

t.test('the clock of a target may stand still, that of the reference may not', (t) => {
  const [first, second, later] = [now(0), now(20), now(5000)]
  t.strictSame(compared([{ a: first }, { a: first }], [{ a: second }, { a: first }]), [])
  t.strictSame(compared([{ a: first }, { a: first }], [{ a: first }, { a: second }]), ['value /a'])
  t.strictSame(compared([{ a: first }, { a: first }], [{ a: later }, { a: first }]), ['value /a'])
  t.end()
})

t.test('updates of another row are late effects, and updates without a row are compared', (t) => {
  const json = [{ id: 'cmd-0a1b2c3dr7' }, { id: 'cmd-0a1b2c3dr71' }, { id: 'another' }]
  const answer = {
    status: 200,
    header: () => undefined,
    mediaType: 'application/json',
    json,
    text: '',
    isEmpty: false,
    hashToSign: () => undefined,
  }
  const kept = (operation: string, row: string) =>
    withoutOtherRows({ answer }, stepOf({ about: '', operation }), row).answer?.json
  t.strictSame(kept('updates', '0a1b2c3dr7'), [json[0], json[2]])
  t.strictSame(kept('updates', '0a1b2c3dr71'), [json[1], json[2]])
  t.strictSame(kept('completions', '0a1b2c3dr7'), json)
  t.end()
})
