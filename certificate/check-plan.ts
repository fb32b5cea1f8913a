import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRecord } from '../record/record.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { SuiteError } from '../runner/load/suite-error.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { suiteFolder } from './bundle-files.js'
import { altered, type BundleFinding, unproven } from './finding.js'

/**
 * Whether the plan is what the suite in the bundle comes to, row by row. `isSameTool`: another version of the program may resolve
 * the same suite otherwise.
 */
export async function checkPlan(folder: string, record: RunRecord, isSameTool: boolean): Promise<BundleFinding[]> {
  const { header, plan } = record
  const path = join(folder, suiteFolder)
  if (!existsSync(path))
    return [altered(`${suiteFolder} is missing: nobody can tell whether the plan is what the suite says`)]
  const suite = await loadSuite(path).catch((error: unknown) => {
    if (error instanceof SuiteError) return undefined
    throw error
  })
  if (!suite) return [altered(`${suiteFolder} cannot be read any more`)]
  if (suite.digest !== header.suite.digest) return [altered(`${suiteFolder} is not the suite that the record names`)]
  const profile = suite.profiles.get(header.profile.name)
  if (!profile) return [altered(`${suiteFolder} has no profile ${header.profile.name}`)]
  const { rows } = resolveSuite(suite, profile, header.target.protocolVersion)
  const wanted = new Map(rows.map((row) => [row.id, comparable(row)]))
  const planned = new Set(plan.map(({ row }) => row.id))
  const found = [
    ...plan
      .filter(({ row }) => wanted.get(row.id) !== comparable(row))
      .map(({ row }) => `the plan of ${row.id} is not what the suite says`),
    ...[...wanted.keys()].filter((id) => !planned.has(id)).map((id) => `${id} is in the suite, and not in the plan`),
  ]
  if (found.length === 0 || isSameTool) return found.map(altered)
  return [unproven(`another version of the program made the plan: of ${found.length} rows this one would make another`)]
}

/** Without where the suite was on somebody's disk. */
const comparable = (row: object): string =>
  JSON.stringify(row, (name, value: unknown) => (name === 'source' ? undefined : value))
