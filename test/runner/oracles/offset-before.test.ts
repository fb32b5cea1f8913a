/** The offset before a run creates parties, and the control after its rows. */
import t from 'tap'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { offsetBefore, repeatsControl } from '../../../runner/run/read-oracles.js'
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

t.test('a control follows the rows if a late check of one of them reads the updates', async (t) => {
  const repeats = (lateDelay: number, kind: string, unavailable: string[] = []): boolean => {
    const [target, plan] = given(failing, { kind, unavailable })
    return repeatsControl({ lateDelay } as RunOptions, target, plan) // the only option that the function reads
  }
  t.equal(repeats(3000, 'effects'), true)
  t.equal(repeats(0, 'effects'), false)
  t.equal(repeats(3000, 'outcome'), false)
  t.equal(repeats(3000, 'effects', ['updates']), false)
})
