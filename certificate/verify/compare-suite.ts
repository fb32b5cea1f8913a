/** Compares the suite of a bundle with the trusted suite: a laxer suite passes more participants. */

import { loadSuite } from '../../runner/load/load-suite.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { digestOf, readSuiteFiles } from '../../runner/yaml/suite-files.js'
import { type BundleFinding, unproven } from '../finding.js'
import type { DerivedPlan } from './derive-plan.js'

/** `trusted`: a folder. Rejects with `FindingsError` or `InputError`. */
export async function compareSuite(
  { suite, resolved }: DerivedPlan,
  trusted: string,
  version: number | undefined,
): Promise<BundleFinding[]> {
  if (digestOf(await readSuiteFiles(trusted)) === suite.digest) return []
  const own = await loadSuite(trusted, resolved.profile.file)
  const profile = own.profiles.get(resolved.profile.name)
  const found = profile
    ? differences(resolved, resolveSuite(own, profile, version))
    : [`the verifier's suite has no profile ${resolved.profile.name}`]
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

/** Their members have an order that a request shows. */
const inSentOrder = new Set(['json', 'values', 'headers', 'query'])

/** Ignores file positions, which affect no request. A record does not keep the order of other members. */
export function isSamePlan(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = membersOf(one)
  return (
    names.length === membersOf(other).length &&
    names.every(
      (name) =>
        // A record may have a member __proto__.
        Object.hasOwn(other, name) &&
        (inSentOrder.has(name)
          ? JSON.stringify(one[name]) === JSON.stringify(other[name])
          : isSamePlan(one[name], other[name])),
    )
  )
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** As in JSON, a member without a value is absent. */
const membersOf = (value: Members): string[] =>
  Object.keys(value).filter((name) => name !== 'source' && value[name] !== undefined)
