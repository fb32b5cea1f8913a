import { join } from 'node:path'
import { OutputError } from '../../lib/files/file-errors.js'
import { makeFolder } from '../../lib/files/paths.js'
import { readOwnFile } from '../../lib/files/read-input.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { UsageError } from '../../lib/usage-error.js'
import { recordSchemaFiles } from '../../record/file/read-record.js'
import type { RunRecord } from '../../record/types/record.js'
import { badgeReport } from '../../reports/formats/badge.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { htmlReport } from '../../reports/formats/html.js'
import { junitReport } from '../../reports/formats/junit.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { tapReport } from '../../reports/formats/tap.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { type ReportFormat, reportFormats } from './formats.js'

type Render = (record: RunRecord, baseline: RunFacts | undefined) => string | Promise<string>

const formats: Record<ReportFormat, readonly (readonly [file: string, render: Render])[]> = {
  html: [['report.html', (record, baseline) => htmlReport(record, baseline ? { baseline } : {})]],
  junit: [['junit.xml', junitReport]],
  tap: [['run.tap', tapReport]],
  ctrf: [['ctrf.json', ctrfReport]],
  markdown: [['summary.md', markdownReport]],
  badge: [['badge.svg', badgeReport]],
  schema: recordSchemaFiles.map(([name, file]) => [name, () => readOwnFile(file)]),
}

/** The schema is the same for all runs. */
export const runReports: readonly ReportFormat[] = reportFormats.filter((format) => format !== 'schema')

export const runReportNames: readonly string[] = runReports.flatMap((format) => formats[format].map(([name]) => name))

/** Creates the folder if necessary, and returns paths. Rejects with `UsageError`. */
export async function writeReports(
  record: RunRecord,
  folder: string,
  wanted: readonly ReportFormat[],
  baseline?: RunFacts,
): Promise<string[]> {
  return writeTexts(folder, await renderReports(record, wanted, baseline))
}

export async function renderReports(
  record: RunRecord,
  wanted: readonly ReportFormat[],
  baseline?: RunFacts,
): Promise<[file: string, text: string][]> {
  const files = wanted.flatMap((format) => formats[format])
  return Promise.all(
    files.map(async ([file, render]): Promise<[file: string, text: string]> => [file, await render(record, baseline)]),
  )
}

/** Rejects with `UsageError`. */
export async function writeTexts(
  folder: string,
  texts: readonly (readonly [file: string, text: string])[],
): Promise<string[]> {
  try {
    await makeFolder(folder)
    return await Promise.all(
      texts.map(async ([file, text]) => {
        const path = join(folder, file)
        await writeOutput(path, text)
        return path
      }),
    )
  } catch (cause) {
    if (!(cause instanceof OutputError)) throw cause
    throw new UsageError(`out: ${cause.message}; choose another folder`, { cause })
  }
}
