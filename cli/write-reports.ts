import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunRecord } from '../record/record.js'
import { ctrfReport } from '../reports/ctrf.js'
import { htmlReport } from '../reports/html.js'
import { junitReport } from '../reports/junit.js'
import { tapReport } from '../reports/tap.js'

const formats: readonly [file: string, render: (record: RunRecord) => string][] = [
  ['report.html', htmlReport],
  ['junit.xml', junitReport],
  ['run.tap', tapReport],
  ['ctrf.json', ctrfReport],
]

/** Writes every report of a record into the folder and returns their paths. */
export async function writeReports(record: RunRecord, folder: string): Promise<string[]> {
  const written: string[] = []
  for (const [file, render] of formats) {
    const path = join(folder, file)
    await writeFile(path, render(record))
    written.push(path)
  }
  return written
}
