/** `conform report`: the reports once more, from the record of an earlier run. */
import { dirname } from 'node:path'
import { print, printData } from '../../lib/print.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { chooseFormats, reportFormats } from '../output/formats.js'
import { isWhole, readParts, readRun, recordOf } from '../output/read-run.js'
import { waiversFor } from '../output/report-run.js'
import { writeReports } from '../output/write-reports.js'

export interface ReportFlags {
  format: string[]
  /** Beside the record, unless it is said. */
  out?: string
  baseline?: string
  /** The evidence of the run is judged again by this profile. */
  profile?: string
  /** Print waivers that would excuse what failed. */
  suggestWaivers?: boolean
  color: boolean
}

/** Ends well for a run that did not conform, too: what is asked for here is the report of it. */
export async function reportCommand(run: string, flags: ReportFlags): Promise<ExitCode> {
  const formats = flags.format.includes('all') ? reportFormats : chooseFormats(flags.format, reportFormats)
  const parts = await readParts(run)
  const { profile } = flags
  // What a row was judged by stands in the record of its own configuration.
  const record = combineRecords(profile === undefined ? parts : parts.map((part) => judgeAgain(part, profile)))
  const baseline = flags.baseline === undefined ? undefined : await readRun(flags.baseline)
  const written = await writeReports(record, flags.out ?? dirname(await recordOf(run)), formats, baseline)
  const failures = consoleFailures(record, { color: flags.color })
  if (failures !== '') print(failures)
  print(`${consoleSummary(record, { color: flags.color })}\n${written.join('\n')}`)
  if (flags.suggestWaivers) printData(`\n${waiversFor(record)}`)
  return isWhole(record) ? exitCode.conforming : exitCode.incomplete
}
