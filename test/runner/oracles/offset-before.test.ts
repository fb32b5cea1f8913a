/** The offset before a run creates parties. */
import t from 'tap'
import { offsetBefore } from '../../../runner/run/read-oracles.js'
import { TargetError } from '../../../runner/target/target.js'
import { ExchangeLog } from '../../../runner/transport/exchange-log.js'

type Given = Parameters<typeof offsetBefore>

const rowWith = (kind: string) => ({ row: { steps: [{ expectations: [{ kind }] }] } })

/** `offsetBefore` reads only these members. */
const given = (answer: () => Promise<unknown>, { kind = 'effects', unavailable = [] as string[] } = {}): Given =>
  [
    { actorUsers: { defaultUser: 'user' }, unavailable: new Set(unavailable) },
    { rows: [rowWith(kind)], alone: [] },
    { as: () => answer, log: new ExchangeLog() },
  ] as unknown as Given

const failing = () => Promise.reject(new TargetError('GET /v2/state/ledger-end returned 503'))

t.test('a failed read does not prevent the reads after the last row', async (t) => {
  t.equal(await offsetBefore(...given(failing)), 0)
  t.equal(await offsetBefore(...given(async () => ({ offset: 7 }))), 7)
  await t.rejects(offsetBefore(...given(() => Promise.reject(new TypeError('a fault')))), TypeError)
})

t.test('nothing is read if no row needs it, or if the participant has no such reads', async (t) => {
  t.equal(await offsetBefore(...given(failing, { kind: 'outcome' })), undefined)
  t.equal(await offsetBefore(...given(failing, { unavailable: ['updates'] })), undefined)
})
