import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { recordSchemaFiles } from '../record/read-record.js'
import type { RunRecord } from '../record/record.js'
import { badgeReport } from '../reports/badge.js'
import { ctrfReport } from '../reports/ctrf.js'
import { htmlReport } from '../reports/html.js'
import { junitReport } from '../reports/junit.js'
import { markdownReport } from '../reports/markdown.js'
import { tapReport } from '../reports/tap.js'
import { type ReportFormat, reportFormats } from './format-names.js'
import { makeFolder } from './results-folder.js'
import { UsageError } from './usage-error.js'
import { writeWhole } from './write-whole.js'

type Render = (record: RunRecord, baseline: RunRecord | undefined) => string | Promise<string>

const formats: Record<ReportFormat, readonly (readonly [file: string, render: Render])[]> = {
  html: [['report.html', (record, baseline) => htmlReport(record, baseline ? { baseline } : {})]],
  junit: [['junit.xml', junitReport]],
  tap: [['run.tap', tapReport]],
  ctrf: [['ctrf.json', ctrfReport]],
  markdown: [['summary.md', markdownReport]],
  badge: [['badge.svg', badgeReport]],
  schema: recordSchemaFiles.map(([name, file]) => [name, () => readFile(file, 'utf8')]),
}

/** What a run leaves by itself: the schema is the same for all, and there for those who ask. */
export const runReports: readonly ReportFormat[] = reportFormats.filter((format) => format !== 'schema')

/** Writes reports of a record into the folder, which is made if need be, and returns their paths. Rejects with UsageError. */
export async function writeReports(
  record: RunRecord,
  folder: string,
  wanted: readonly ReportFormat[],
  baseline?: RunRecord,
): Promise<string[]> {
  const files = wanted.flatMap((format) => formats[format])
  const texts = await Promise.all(
    files.map(async ([file, render]): Promise<[file: string, text: string]> => [file, await render(record, baseline)]),
  )
  return writeTexts(folder, texts)
}

/** Writes texts as files of a folder and returns their paths. Rejects with UsageError where the folder takes none. */
export async function writeTexts(folder: string, texts: readonly [file: string, text: string][]): Promise<string[]> {
  try {
    await makeFolder(resolve(folder))
    return await Promise.all(
      texts.map(async ([file, text]) => {
        const path = join(folder, file)
        await writeWhole(path, text)
        return path
      }),
    )
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`out: nothing can be written to ${folder} (${why}); name another folder`, { cause })
  }
}
