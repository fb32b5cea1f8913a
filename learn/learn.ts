/** Learns the observed behaviour of a participant as a profile. */
import { UsageError } from '../lib/usage-error.js'
import type { Shapes } from '../runner/suite/shapes.js'
import { accepted, type Profile, type Suite, textProfile } from '../runner/suite/suite.js'
import { judgedRun } from './judged-rows.js'
import { learnBasis, learnFormats } from './learn-formats.js'
import { type InconsistentSituation, learnSituations } from './learn-situations.js'
import { type Observation, observationsOf } from './observations.js'
import type { ObservedRun } from './observed-run.js'
import type { LearnedProfile } from './profile-text.js'
import { type ProposedDivergence, proposeDivergences } from './propose-divergences.js'

export interface Learned {
  profile: LearnedProfile
  inconsistent: InconsistentSituation[]
  proposed: ProposedDivergence[]
  /** Rows that contribute, and ids that the suite lacks or that sent other requests. */
  rows: number
  unknown: string[]
}

/**
 * `byRow`: where the rows of a situation disagree, learn the answer of each row.
 * Throws `UsageError` and `ResolveError`.
 * @example
 * const { profile, unknown } = learn(runs, suite, base, { name: 'ours' })
 * unknown // [] if the suite sends the requests of the runs
 */
export function learn(
  runs: readonly ObservedRun[],
  suite: Suite,
  base: Profile,
  { name, byRow = false }: { name: string; byRow?: boolean },
): Learned {
  const text = suite.profiles.get(textProfile)
  if (!text) throw new UsageError(`learn: the suite has no profile ${textProfile}. Use a suite that has this profile.`)
  const judged = runs.map((run) => judgedRun(run, suite, base, text))
  const observations = judged.flatMap(observationsOf)
  const found = learnSituations(observations, suite, { base: base.situations, byRow })
  const acceptedAs = learnAccepted(observations)
  const formats = learnFormats(judged, suite, base, text)
  const basis = learnBasis(judged, suite, base, {
    formats: Object.keys(formats),
    learned: new Set([
      ...found.learned.flatMap(({ rows }) => rows),
      ...found.byRow.flatMap(({ rows }) => rows.map(({ row }) => row)),
    ]),
  })
  const unaccepted = observations.filter(
    ({ situation, isExpected, isPermitted }) => situation === accepted && !isExpected && !isPermitted,
  )
  return {
    profile: {
      name,
      extends: base.name,
      runs,
      codes: base.codes,
      ...(basis && { basis }),
      ...(acceptedAs && { accepted: acceptedAs }),
      formats,
      situations: found.learned,
      byRow: found.byRow,
    },
    inconsistent: found.inconsistent,
    proposed: proposeDivergences(judged, [...found.violations, ...unaccepted]),
    rows: new Set(judged.flatMap(({ rows }) => rows.map(({ observed }) => observed.id))).size,
    unknown: [...new Set(judged.flatMap(({ unknown }) => unknown))],
  }
}

/** The statuses and the media type of accepted requests, if they differ from the base profile. */
function learnAccepted(all: readonly Observation[]): Shapes['response'] | undefined {
  const successes = all.filter(({ answer }) => answer.outcome === 'accepted')
  if (!successes.some(({ hasOtherForm }) => hasOtherForm)) return undefined
  const statuses = [...new Set(successes.map(({ answer }) => answer.status))].toSorted((a, b) => a - b)
  const [mediaType, ...others] = new Set(successes.map(({ answer }) => answer.mediaType))
  const [only, ...more] = statuses
  return {
    ...(only !== undefined && { status: more.length === 0 ? only : statuses }),
    ...(mediaType !== undefined && others.length === 0 && { 'media-type': mediaType }),
  }
}
