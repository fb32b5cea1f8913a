/** Reads without proof support no verdict. test/endurance/faulty-oracles.ts has all faults and oracles. */
import t, { type Test } from 'tap'
import { readRun } from '../../cli/output/read-run.js'
import { findOverrides } from '../../lab/find-overrides.js'
import type { RunRecord } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { type CalledCommand, callRun } from '../support/processes/called-command.js'

const only = ['SAW-COMMANDS/*', 'SAW-COMPLETION/*']

async function runAgainst(t: Test, mutant: string): Promise<CalledCommand & { record: RunRecord }> {
  const simulator = await startSimulator({ overrides: findOverrides({ mutant }) })
  t.teardown(() => simulator.close())
  const out = t.testdir()
  const called = await callRun(t, {
    only,
    target: simulator.url,
    lateCheck: '0',
    out,
  })
  return { ...called, record: await readRun(out) }
}

const passesIn = ({ rows }: RunRecord): number => rows.filter(({ verdict }) => verdict === 'pass').length

t.test('updates that are always empty block the rows that rely on them, with one cause', async (t) => {
  const { code, stdout, record } = await runAgainst(t, 'updates-dead')
  t.equal(code, 5, stdout)
  t.equal(passesIn(record), 0)
  t.equal(stdout.match(/^✗ .*but POST \/v2\/updates does not show it/gm)?.length, 1, stdout)
})

t.test('together with a fault, such updates raise no number of passes', async (t) => {
  const { record } = await runAgainst(t, 'updates-dead-with-a-fault')
  t.equal(passesIn(record), 0)
})

t.test('transactions without the marker of a row fail the run', async (t) => {
  const { code, stdout } = await runAgainst(t, 'extra-after-rejection')
  t.equal(code, 1)
  t.match(stdout, /^FAIL.*, 1 contradiction between the ledger and the answers; .*\n! The ledger contains/m)
  t.match(stdout, "! The ledger contains transactions of the run's parties that no request explains")
})
