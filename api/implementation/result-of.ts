import { isWhole } from '../../cli/read-run.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/record.js'
import { unmetRules } from '../../record/rule-verdicts.js'
import { countVerdicts } from '../../record/verdict.js'
import { conclude } from '../../reports/conclusion.js'
import { failureText } from '../../reports/failure-text.js'
import { inSuiteOrder, isFailure } from '../../reports/rows.js'
import type { SuiteResult, SuiteRowResult } from '../types/suite-result.js'

/** What a record says, for programs. `files` are the paths of what was written. */
export function resultOf(record: RunRecord, files: string[]): SuiteResult {
  const { conforming, inWords, unexamined } = conclude(record)
  return {
    conforming: conforming && isWhole(record),
    conclusion: inWords,
    unexaminedRules: unexamined,
    counts: record.footer?.counts ?? countVerdicts(record.rows.map(({ verdict }) => verdict)),
    rows: inSuiteOrder(record.rows).map((row) => rowResult(row, record.header)),
    milliseconds: record.footer?.milliseconds ?? 0,
    files,
  }
}

function rowResult(row: RunRow, header: RunHeader): SuiteRowResult {
  const { id, verdict, milliseconds, resolved } = row
  const isWell = verdict === 'pass' || verdict === 'not-applicable'
  return {
    id,
    title: resolved.title,
    operation: resolved.operation,
    verdict,
    conforming: !isFailure(row),
    rules: [...new Set(row.judgements.flatMap(({ rules }) => rules))],
    unmetRules: unmetRules(row),
    milliseconds,
    ...(!isWell && { explanation: failureText(row, header, { color: false }) }),
  }
}
