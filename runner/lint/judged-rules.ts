import { expectationsOf } from '../../record/judgements/references.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

/** Steps before the one under test only prepare the row. */
export function judgedRules(row: ResolvedRow): Set<string> {
  const outcomes = outcomesOf(row)
  return new Set(
    judgingSteps(row, outcomes)
      .flatMap(expectationsOf)
      .flatMap(({ kind, rules }) => (isImplicit(kind) ? [] : rules)),
  )
}

const judgingSteps = ({ steps }: ResolvedRow, outcomes: ReadonlySet<string>): ResolvedStep[] =>
  steps.filter(
    ({ role, sentWhen }) =>
      role === 'act' || (role === 'probe-after' && (sentWhen === undefined || outcomes.has(sentWhen))),
  )

/** Rules that can fail the row, not only cause a warning. */
export function failingRules(row: ResolvedRow): Set<string> {
  const outcomes = outcomesOf(row)
  return new Set(
    judgingSteps(row, outcomes)
      .flatMap(expectationsOf)
      .filter(({ kind, strength, confidence }) => !isImplicit(kind) && strength === 'must' && confidence !== 'read')
      .filter((one) => !isOpen(one) && one.besides === undefined)
      .flatMap(({ rules }) => rules),
  )
}

/** A wrong outcome of a probe only blocks the row. */
export const failuresWithoutRule = (row: ResolvedRow | undefined): ResolvedExpectation[] =>
  (row?.steps ?? []).flatMap(({ role, expectations }) =>
    expectations.filter(
      (one) =>
        one.rules.length === 0 &&
        !isImplicit(one.kind) &&
        (role === 'act' || (role === 'probe-after' && one.kind !== 'outcome')) &&
        !isOpen(one),
    ),
  )

const isOpen = ({ kind, anyOf }: ResolvedExpectation): boolean =>
  kind === 'outcome' && ['accepted', 'refused'].every((one) => anyOf.some(({ outcome }) => outcome === one))

function outcomesOf({ steps }: ResolvedRow): Set<'accepted' | 'refused'> {
  const tested = steps.flatMap(({ role, expectations }) => (role === 'act' ? expectations : []))
  const known = tested.flatMap(({ anyOf }) => anyOf.flatMap(({ outcome }) => outcome ?? []))
  return new Set(known.length > 0 ? known : ['accepted', 'refused'])
}

const isImplicit = (kind: ResolvedExpectation['kind']): boolean =>
  kind === 'server-error' || kind === 'shape' || kind === 'effects'
