/** `conform report`: writes the reports of an earlier run from its record. */
import { dirname } from 'node:path'
import { print, printData } from '../../lib/print.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { chooseFormats, reportFormats } from '../output/formats.js'
import { isComplete, readParts, readRun, recordOf } from '../output/read-run.js'
import { waiversFor } from '../output/report-run.js'
import { writeReports } from '../output/write-reports.js'

export interface ReportFlags {
  format: string[]
  /** Folder of the reports; by default the folder of the record. */
  out?: string
  baseline?: string
  /** Judge the evidence again by this profile. */
  profile?: string
  /** Print waiver entries for the failed rows. */
  suggestWaivers?: boolean
  color: boolean
}

/** Exits with 0 also for a run that did not conform. */
export async function reportCommand(run: string, flags: ReportFlags): Promise<ExitCode> {
  const formats = flags.format.includes('all') ? reportFormats : chooseFormats(flags.format, reportFormats)
  const parts = await readParts(run)
  const { profile } = flags
  // Each configuration has its own profile facts.
  const record = combineRecords(profile === undefined ? parts : parts.map((part) => judgeAgain(part, profile)))
  const baseline = flags.baseline === undefined ? undefined : await readRun(flags.baseline)
  const written = await writeReports(record, flags.out ?? dirname(await recordOf(run)), formats, baseline)
  const failures = consoleFailures(record, { color: flags.color })
  if (failures !== '') print(failures)
  print(`${consoleSummary(record, { color: flags.color })}\n${written.join('\n')}`)
  if (flags.suggestWaivers) printData(`\n${waiversFor(record)}`)
  return isComplete(record) ? exitCode.conforming : exitCode.incomplete
}
