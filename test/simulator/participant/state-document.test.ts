/** The document of a saved state: shared contracts, values that JSON lacks, and its longest form. */
import t from 'tap'
import { decodeValue, encodeValue, stateText } from '../../../simulator/participant/state-document.js'
import { createParticipant } from '../../../simulator/simulator.js'
import { exercise, ledgerEnvironment } from '../../support/ledgers/ledger-environment.js'
import { isSameAfterSave } from './same-after-save.js'

t.test('restores one object for a contract that several transactions use', async (t) => {
  const environment = ledgerEnvironment()
  const participant = Object.assign(await createParticipant(), { ledger: environment.ledger })
  participant.clock.freeze()
  const keyed = { owner: environment.alice, observers: [], id: 'k', text: '' }
  const ids = Array.from({ length: 30 }, () => environment.create(environment.alice, 'Keyed', keyed))
  for (const id of ids) environment.submit(environment.alice, exercise(id, ['Keyed', 'Archive']))
  t.ok(await isSameAfterSave(participant))
  const [, , second = ''] = [...stateText(participant)]
  t.match(
    JSON.parse(second.slice(1)),
    { nodes: [{ kind: 'create', contract: { id: ids[1] } }] },
    'jq reads a completion',
  )
})

t.test('rejects a state that is longer than the longest text', async (t) => {
  const environment = ledgerEnvironment()
  const participant = Object.assign(await createParticipant(), { ledger: environment.ledger })
  environment.create(environment.alice, 'Keyed', { owner: environment.alice, observers: [], id: 'k', text: '' })
  const size = Buffer.byteLength([...stateText(participant)].join(''))
  t.equal([...stateText(participant, size)].length, 3)
  const message = /^the state of 1 completions exceeds [\d.]+ MiB/
  t.throws(() => [...stateText(participant, size - 1)], { name: 'StateError', code: 'STATE_TOO_LARGE', message })
})

t.test('saves values that JSON lacks, and names with the same first character', (t) => {
  const value = {
    numbers: [1n, -7, 2n ** 70n],
    bytes: Buffer.from('é'),
    map: new Map<unknown, unknown>([
      ['10', new Set([1n])],
      [2n, null],
    ]),
    names: JSON.parse('{"__proto__": {"$map": "text"}, "$set": [], "constructor": "x"}') as object,
    empty: {},
  }
  t.strictSame(decodeValue(JSON.parse(JSON.stringify(encodeValue(value)))), value)
  t.equal(
    JSON.stringify(encodeValue({ some: undefined, map: value.map })),
    '{"map":{"$map":[["10",{"$set":[{"$integer":"1"}]}],[{"$integer":"2"},null]]}}',
  )
  for (const unsaved of [new Date(), [undefined], Number.NaN, () => 1, Object.create(null)]) {
    t.throws(() => encodeValue({ unsaved }), /a state contains plain values only/)
  }
  t.throws(() => decodeValue({ $date: 1 }), /a state has no values of the kind \$date/)
  t.end()
})
