import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunHeader } from '../../record/types/record.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { withGiven } from '../../runner/plan/given-fixtures.js'
import { rulesOfRow } from '../../runner/plan/select.js'
import { ResolveError } from '../../runner/resolve/request-template.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { type ExpectationsBy, expectationsByText } from '../../runner/run/expectations-by.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { Suite } from '../../runner/suite/suite.js'
import { FindingsError } from '../../runner/yaml/findings.js'
import { suiteFolder } from '../bundle.js'
import { altered, type BundleFinding } from '../finding.js'

export interface DerivedPlan {
  suite: Suite
  resolved: ResolvedSuite
  byText: ExpectationsBy
}

/** Keeps only rows of these `rules`. Returns a finding if the suite is unusable. */
export async function derivePlan(
  folder: string,
  header: RunHeader,
  rules?: ReadonlySet<string>,
): Promise<DerivedPlan | BundleFinding> {
  const path = join(folder, suiteFolder)
  if (!existsSync(path)) return altered(`${suiteFolder} is missing, so the plan cannot be compared with it`)
  try {
    const suite = await loadSuite(path, header.profile.file)
    if (suite.digest !== header.suite.digest) return altered(`the digest of ${suiteFolder} differs from the record`)
    const profile = suite.profiles.get(header.profile.name)
    if (!profile) return altered(`${suiteFolder} has no profile ${header.profile.name}`)
    const version = header.target.protocolVersion
    const operations = header.selection?.operations
    const selected = rules ?? (operations && new Set(operations))
    const resolved = resolveSuite(suite, profile, version, selected && ((text) => selected.has(text)))
    const rows = resolved.rows.filter(
      (row) =>
        (operations === undefined || operations.includes(row.operation)) &&
        (rules === undefined || rulesOfRow(row).some((rule) => rules.has(rule))),
    )
    const byText = expectationsByText(profile, suite, version)
    const given = new Map((header.target.file?.given ?? []).map((name) => [name, {}]))
    return { suite, resolved: withGiven({ ...resolved, rows }, given), byText }
  } catch (error) {
    if (error instanceof FindingsError)
      return altered(`${suiteFolder} cannot be read (${error.findings[0]?.message ?? error.message})`)
    if (error instanceof ResolveError) return altered(`${suiteFolder} cannot be resolved (${error.message})`)
    throw error
  }
}
