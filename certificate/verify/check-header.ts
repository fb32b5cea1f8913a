import { isDeepStrictEqual } from 'node:util'
import type { RecordedProfile, RecordedRule, RunHeader } from '../../record/types/record.js'
import type { DerivedPlan } from './derive-plan.js'

export function checkHeader(header: RunHeader, { resolved }: DerivedPlan): string[] {
  const { version, digest, rowCount, text } = resolved
  return [
    ...ruleDifferences(header.rules, resolved.rules),
    ...profileDifferences(header.profile, resolved.profile),
    ...(isSame(header.suite, { version, digest, rows: rowCount })
      ? []
      : ['the header and the suite differ in the suite version, digest or number of rows']),
    ...(isSame(header.text, text) ? [] : ['the header and the suite differ in the interface text']),
  ]
}

/** Compares as JSON, because the record is JSON. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

function ruleDifferences(found: readonly RecordedRule[], wanted: readonly RecordedRule[]): string[] {
  const recorded = new Map(found.map((rule) => [rule.id, rule]))
  const known = new Set(wanted.map(({ id }) => id))
  return [
    ...wanted.flatMap((rule) => ruleDifference(rule, recorded.get(rule.id))),
    ...found
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `the header contains the rule ${id}, which the suite lacks`),
  ]
}

function ruleDifference(wanted: RecordedRule, found: RecordedRule | undefined): string[] {
  const { id, strength } = wanted
  if (!found) return [`the header lacks the rule ${id} of the suite`]
  if (found.strength !== strength)
    return [`the rule ${id} has the strength ${found.strength} in the header and ${strength} in the suite`]
  return isSame(found, wanted) ? [] : [`the rule ${id} in the header differs from the suite`]
}

function profileDifferences(found: RecordedProfile, wanted: RecordedProfile): string[] {
  const parts = ['title', 'basis', 'situations', 'divergences'] as const
  return parts
    .filter((part) => !isSame(found[part], wanted[part]))
    .map((part) => `the header and the suite differ in the ${part} of the profile`)
}
