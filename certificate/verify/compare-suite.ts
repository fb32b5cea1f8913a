/** Compares the suite of a bundle with the trusted suite: a laxer suite passes more participants. */

import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { Profile, Suite } from '../../runner/suite/suite.js'
import { readSuiteFiles, suiteDigest } from '../../runner/yaml/suite-files.js'
import { type BundleFinding, unproven } from '../finding.js'

export interface UsedSuite {
  suite: Suite
  profile: Profile
}

/** `trusted`: a folder. Rejects with `FindingsError`, `InputError` and `ResolveError`. */
export async function compareSuite(
  { suite, profile: used }: UsedSuite,
  trusted: string,
  version: number | undefined,
): Promise<BundleFinding[]> {
  if (suiteDigest(await readSuiteFiles(trusted)) === suite.digest) return []
  const own = await loadSuite(trusted, used.file)
  const profile = own.profiles.get(used.name)
  const found = profile
    ? differences(resolveSuite(suite, used, version), resolveSuite(own, profile, version))
    : [`the verifier's suite has no profile ${used.name}`]
  return [
    unproven(
      `the suite of the bundle differs from the suite of the verifier: ${found.join(', ') || 'all rows and rules are equal'}`,
    ),
  ]
}

function differences(theirs: ResolvedSuite, own: ResolvedSuite): string[] {
  const rows = new Map(theirs.rows.map((row) => [row.id, row]))
  const known = new Set(own.rows.map(({ id }) => id))
  const rules = new Map(theirs.rules.map((rule) => [rule.id, rule]))
  const missing = own.rows.filter(({ id }) => !rows.has(id)).length
  const counted: [number, string][] = [
    [missing, 'rows missing'],
    [own.rows.filter((row) => rows.has(row.id) && !isSamePlan(row, rows.get(row.id))).length, 'rows changed'],
    [theirs.rows.filter(({ id }) => !known.has(id)).length, 'rows added'],
    [own.rules.filter(({ id }) => !rules.has(id)).length, 'rules missing'],
    [
      own.rules.filter(({ id, strength }) => rules.has(id) && rules.get(id)?.strength !== strength).length,
      'rules with another strength',
    ],
  ]
  return counted.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
}

/** Without file positions, which affect no request. */
const isSamePlan = (one: ResolvedRow, other: ResolvedRow | undefined): boolean => planText(one) === planText(other)

const planText = (row: ResolvedRow | undefined): string =>
  JSON.stringify(row, (name, value: unknown) => (name === 'source' ? undefined : value)) ?? ''
