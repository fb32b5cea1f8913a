/** Late-effects checks: one read of the ledger for all rows. */
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import { LateChecks } from '../../../runner/oracles/late-checks.js'
import { LedgerWatch } from '../../../runner/oracles/ledger-watch.js'
import type { Caller } from '../../../runner/provision/caller.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'

/** A ledger of commands; the offset is the position. */
function ledger() {
  const commands: string[] = []
  const calls: string[] = []
  const call: Caller = async (operation, body) => {
    calls.push(operation)
    if (operation === 'ledger-end') return { offset: commands.length }
    const begin = Number((body as { beginExclusive: number }).beginExclusive) // the request of a watch
    return commands.map(update).slice(begin, begin + 150)
  }
  return { commands, calls, call }
}

const update = (commandId: string, index: number): JsonValue => ({
  update: { Transaction: { value: { updateId: `u${index + 1}`, offset: index + 1, commandId } } },
})

const marker = /run-0\d{5}/
const watchOf = (call: Caller): LedgerWatch =>
  new LedgerWatch('http://a/', [{ user: 'operator', call, parties: ['alice'] }], marker)
const idsIn = (check: Evidence | undefined): string[] =>
  [...(check?.response?.body.text ?? '').matchAll(/"u\d+"/g)].map(([id]) => id)

t.test('assigns late updates to their row, over several pages', async (t) => {
  const { commands, calls, call } = ledger()
  commands.push('run-000001 before the run')
  const watch = watchOf(call)
  await watch.begin()
  let time = 0
  const lateChecks = new LateChecks(watch, { after: 60, end: new EarlyEnd(), now: () => time })
  const [first, second] = [lateChecks.check('run-000001', 3), lateChecks.check('run-000002', 0)]
  time = 60
  commands.push(...Array.from({ length: 160 }, (_, index) => `other ${index}`), 'command run-000001')
  t.strictSame(idsIn(await first), ['"u162"'])
  t.match(await first, { step: 3, role: 'late-check', request: { url: 'http://a/v2/updates' } })
  t.strictSame(idsIn(await second), [])
  t.equal(calls.filter((name) => name === 'ledger-end').length, 2, 'once at the start, and once for both rows')
})

t.test('an early end and an unreadable ledger release all rows', async (t) => {
  const { call } = ledger()
  const end = new EarlyEnd()
  const watch = watchOf(call)
  const lateChecks = new LateChecks(watch, { after: 3_600_000, end })
  const held = lateChecks.check('run-000001', 0)
  end.decide({ cause: 'interrupted', by: 'SIGTERM' })
  t.equal(await held, undefined)
  t.equal(await lateChecks.check('run-000002', 0), undefined)
  const reasons: string[] = []
  const broken = watchOf(() => Promise.reject(new Error('no answer')))
  const blind = new LateChecks(broken, { after: 0, end: new EarlyEnd(), failed: (why) => reasons.push(why) })
  t.strictSame(await Promise.all([blind.check('run-000001', 0), blind.check('run-000002', 0)]), [undefined, undefined])
  t.strictSame(reasons, ['no answer'])
})
