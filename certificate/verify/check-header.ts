/** Whether the header of a record has the rules, profiles and counts that its suite gives. */
import { isDeepStrictEqual } from 'node:util'
import type { RecordedProfile, RecordedRule, RunHeader } from '../../record/types/record.js'
import type { DerivedPlan } from './derive-plan.js'

/** Each difference as a sentence without its full stop. */
export function checkHeader(header: RunHeader, { resolved, others }: DerivedPlan): string[] {
  const { version, digest, rowCount, text } = resolved
  return [
    ...ruleDifferences(header.rules, resolved.rules),
    ...profileDifferences(header.profile, resolved.profile),
    ...(isSame(byName(header.otherProfiles ?? []), byName(others.profiles))
      ? []
      : ['the header describes the other profiles differently from the suite']),
    ...(isSame(header.suite, { version, digest, rows: rowCount })
      ? []
      : ['the header states another version or number of rows than the suite has']),
    ...(isSame(header.text, text) ? [] : ['the header names another interface text than the suite']),
  ]
}

/** A record holds what JSON can hold. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const byName = (profiles: readonly RecordedProfile[]): RecordedProfile[] =>
  profiles.toSorted((a, b) => (a.name < b.name ? -1 : 1))

function ruleDifferences(found: readonly RecordedRule[], wanted: readonly RecordedRule[]): string[] {
  const recorded = new Map(found.map((rule) => [rule.id, rule]))
  const known = new Set(wanted.map(({ id }) => id))
  return [
    ...wanted.flatMap((rule) => ruleDifference(rule, recorded.get(rule.id))),
    ...found.filter(({ id }) => !known.has(id)).map(({ id }) => `the header has the rule ${id}, which the suite lacks`),
  ]
}

function ruleDifference(wanted: RecordedRule, found: RecordedRule | undefined): string[] {
  const { id, strength } = wanted
  if (!found) return [`the header lacks the rule ${id} of the suite`]
  if (found.strength !== strength)
    return [`the header gives the rule ${id} the strength ${found.strength}, and the suite ${strength}`]
  return isSame(found, wanted) ? [] : [`the header describes the rule ${id} differently from the suite`]
}

function profileDifferences(found: RecordedProfile, wanted: RecordedProfile): string[] {
  const parts = ['title', 'basis', 'situations', 'divergences'] as const
  return parts
    .filter((part) => !isSame(found[part], wanted[part]))
    .map((part) => `the ${part} of the profile in the header is not that of the suite`)
}
