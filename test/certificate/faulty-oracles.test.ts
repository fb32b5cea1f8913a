/** Reads without proof support no verdict. test/endurance/faulty-oracles.ts has all faults and oracles. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readRun } from '../../cli/output/read-run.js'
import type { RunRecord } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { type CalledCommand, callRun } from '../support/processes/called-command.js'
import { cheating, faults, faultyOracles } from '../support/servers/cheating-participants.js'
import { writeSubmissionSuite } from '../support/suites/submission-suite.js'

const suite = await writeSubmissionSuite(join(t.testdir({ suite: {} }), 'suite'))

async function runAgainst(t: Test, fault: string, oracle: string): Promise<CalledCommand & { record: RunRecord }> {
  const interceptor = cheating(faults[fault], faultyOracles[oracle]?.())
  const simulator = await startSimulator({ overrides: { interceptor } })
  t.teardown(() => simulator.close())
  const out = t.testdir()
  const called = await callRun(t, {
    suite,
    target: simulator.url,
    operations: ['submit-and-wait'],
    lateCheck: '0',
    out,
  })
  return { ...called, record: await readRun(out) }
}

const passesIn = ({ rows }: RunRecord): number => rows.filter(({ verdict }) => verdict === 'pass').length

t.test('updates that are always empty block the rows that rely on them, with one cause', async (t) => {
  const { code, stdout, record } = await runAgainst(t, '', 'updates-dead')
  t.equal(code, 5, stdout)
  t.equal(passesIn(record), 0)
  t.equal(stdout.split('POST /v2/updates did not show transaction').length, 2, 'the console prints the cause once')
})

t.test('together with a fault, such updates raise no number of passes', async (t) => {
  const { record } = await runAgainst(t, 'rejected-and-committed', 'updates-dead')
  t.equal(passesIn(record), 0)
})

t.test('transactions without the marker of a row fail the run', async (t) => {
  const { code, stdout } = await runAgainst(t, 'extra-after-rejection', '')
  t.equal(code, 1)
  t.match(stdout, /^FAIL/)
  t.match(stdout, "Not conforming: the ledger contains transactions of the run's parties that no request explains")
})
