/** Which rules a row can show to be broken. */
import { expectationsOf } from '../../record/judgements/references.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

/**
 * Rules of what is expected of the step under test and of the probe behind it. What comes before only has to be there, and
 * what is held against every answer is nothing that a row is written for.
 */
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

/** Of these rules those by which the row can fail, and not only warn, turn out not to apply or show nothing. */
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

/** What the row can fail by, of which no rule is broken then; an outcome of a probe blocks the row. */
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

/** To be accepted or to be refused is all one. */
const isOpen = ({ kind, anyOf }: ResolvedExpectation): boolean =>
  kind === 'outcome' && ['accepted', 'refused'].every((way) => anyOf.some(({ outcome }) => outcome === way))

/** What may become of the step under test; where nothing is said of that, anything. */
function outcomesOf({ steps }: ResolvedRow): Set<'accepted' | 'refused'> {
  const tested = steps.flatMap(({ role, expectations }) => (role === 'act' ? expectations : []))
  const known = tested.flatMap(({ anyOf }) => anyOf.flatMap(({ outcome }) => outcome ?? []))
  return new Set(known.length > 0 ? known : ['accepted', 'refused'])
}

const isImplicit = (kind: ResolvedExpectation['kind']): boolean =>
  kind === 'server-error' || kind === 'shape' || kind === 'effects'
