import type { ResolvedStep } from '../../record/types/resolved-row.js'
import type { Profile, Step, Suite } from '../suite/suite.js'
import { type ResolvingBy, resolveStep, type StepSetting } from './resolve-step.js'
import { factsOf, strengthsOf } from './scope.js'

export interface Resolving extends ResolvingBy {
  /** A step where it stands. Those of probes stand around hundreds of rows: where nothing differs, it is one and the same. */
  step(step: Step, setting: StepSetting): ResolvedStep
}

/** Its `step` throws `ResolveError`. */
export function resolvingBy(suite: Suite, profile: Profile): Resolving {
  const by = { suite, profile, strengths: strengthsOf(suite), facts: factsOf(suite) }
  // Of a situation only divergences know, and only where they name it.
  const named = new Set(profile.divergences.flatMap(({ situations }) => situations ?? []))
  const known = new Map<Step, Map<string, ResolvedStep>>()
  const step = (given: Step, { situation, ...rest }: StepSetting): ResolvedStep => {
    const setting = { ...rest, ...(situation !== undefined && named.has(situation) && { situation }) }
    const found = known.get(given) ?? new Map<string, ResolvedStep>()
    known.set(given, found)
    const key = JSON.stringify(setting)
    const resolved = found.get(key) ?? resolveStep(given, setting, by)
    found.set(key, resolved)
    return resolved
  }
  return { ...by, step }
}
