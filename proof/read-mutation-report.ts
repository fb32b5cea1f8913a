/** The mutation report as it is kept beside a suite. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInputText } from '../lib/files/read-input.js'
import type { MutationReport } from './mutation-report.js'

const fileName = 'mutation-report.json'

/** Where the report of the suite in that folder is. */
const reportFile = (suiteFolder: string): string => join(suiteFolder, fileName)

/** A report that is there and cannot be read; the message says what to do. */
export class MutationReportError extends Error {
  override readonly name = 'MutationReportError'
}

/** Undefined: this suite has none. Rejects with `MutationReportError` and `InputError`. */
export async function readMutationReport(suiteFolder: string): Promise<MutationReport | undefined> {
  const file = reportFile(suiteFolder)
  if (!existsSync(file)) return undefined
  try {
    const found: unknown = JSON.parse(await readInputText(file, 'a page'))
    if (isMutationReport(found)) return found
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new MutationReportError(`${file} is no mutation report: write it anew with npm run prove`)
}

const isMutationReport = (found: unknown): found is MutationReport =>
  typeof found === 'object' && found !== null && 'suite' in found && 'mutants' in found && Array.isArray(found.mutants)

/** One line for each mutant, so that changes of it can be read. */
export function printMutationReport({ suite, all, mutants }: MutationReport): string {
  const lines = mutants.map((one) => `    ${JSON.stringify(one)}`)
  return `{\n  "suite": ${JSON.stringify(suite)},\n  "all": ${all},\n  "mutants": [\n${lines.join(',\n')}\n  ]\n}\n`
}
