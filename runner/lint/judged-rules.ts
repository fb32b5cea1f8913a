/** Which rules a row can show to be broken. */
import { expectationsOf } from '../../record/references.js'
import type { ResolvedExpectation, ResolvedRow } from '../../record/resolved-row.js'

/**
 * Rules of what is expected of the step under test and of the probe behind it. What comes before only has to be there, and
 * what is held against every answer is nothing that a row is written for.
 */
export function judgedRules(row: ResolvedRow): Set<string> {
  const outcomes = outcomesOf(row)
  const telling = row.steps.filter(
    ({ role, sentWhen }) =>
      role === 'act' || (role === 'probe-after' && (sentWhen === undefined || outcomes.has(sentWhen))),
  )
  return new Set(telling.flatMap(expectationsOf).flatMap(({ kind, rules }) => (isImplicit(kind) ? [] : rules)))
}

/** What may become of the step under test; where nothing is said of that, anything. */
function outcomesOf({ steps }: ResolvedRow): Set<'accepted' | 'refused'> {
  const tested = steps.flatMap(({ role, expectations }) => (role === 'act' ? expectations : []))
  const known = tested.flatMap(({ anyOf }) => anyOf.flatMap(({ outcome }) => outcome ?? []))
  return new Set(known.length > 0 ? known : ['accepted', 'refused'])
}

const isImplicit = (kind: ResolvedExpectation['kind']): boolean =>
  kind === 'server-error' || kind === 'shape' || kind === 'effects'
