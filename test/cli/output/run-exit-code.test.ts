/** The exit code of runs that ended early. */

import t from 'tap'
import { exitCode } from '../../../cli/console/exit-code.js'
import { runExitCode } from '../../../cli/output/report-run.js'
import type { EndedEarly } from '../../../record/types/reason.js'
import type { OracleFinding, RunRecord } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { endings, sampleRecord } from '../../support/records/sample-record.js'
import { sampleRow } from '../../support/records/sample-row.js'

const complete = await sampleRecord([sampleRow('SAW-ONE/a')])

/** The second row did not run. */
function endedBy(cause: EndedEarly['cause'], verdict: Verdict): RunRecord {
  const { footer, header } = complete
  const rows = [sampleRow('SAW-ONE/a', { verdict })]
  const ended = endings[cause]
  return {
    ...complete,
    header: { ...header, plan: ['A/1', 'A/2'] },
    rows,
    ...(footer && { footer: { ...footer, ended } }),
  }
}

t.test('a failed row outweighs the end of the run', async (t) => {
  for (const cause of ['time-over', 'interrupted', 'target-gone', 'failed-enough'] as const)
    for (const verdict of ['fail', 'error'] as const)
      t.equal(runExitCode(endedBy(cause, verdict)), exitCode.notConforming, `${cause} ${verdict}`)
})

t.test('without a failed row, the end of the run decides', async (t) => {
  t.equal(runExitCode(endedBy('time-over', 'pass')), exitCode.incomplete)
  t.equal(runExitCode(endedBy('interrupted', 'pass')), exitCode.incomplete)
  t.equal(runExitCode(endedBy('target-gone', 'pass')), exitCode.target)
})

t.test('with a baseline, only regressions outweigh the end of the run', async (t) => {
  const record = endedBy('time-over', 'fail')
  t.equal(runExitCode(record, 1), exitCode.notConforming)
  t.equal(runExitCode(record, 0), exitCode.incomplete)
})

t.test('a record without a footer counts its rows', async (t) => {
  const { footer: _, ...record } = endedBy('time-over', 'fail')
  t.equal(runExitCode(record), exitCode.notConforming)
})

t.test('contradictory reads of the ledger outweigh the end of the run', async (t) => {
  const finding: OracleFinding = {
    kind: 'contradicted',
    oracle: 'updates',
    reason: { code: 'execution-missing' },
    rules: [],
    rows: [],
  }
  const record: RunRecord = {
    ...endedBy('time-over', 'pass'),
    oracles: { type: 'oracles', reads: [], findings: [finding] },
  }
  t.equal(runExitCode(record), exitCode.notConforming)
})
