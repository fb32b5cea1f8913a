/** The verdicts that a run can have. */
import type { RunHeader } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** `excused` and `unexpected-pass` require waivers, `follows-the-text` requires divergences. */
export function possibleVerdicts(
  counts: VerdictCounts,
  { waivers = [], profile }: Pick<RunHeader, 'waivers' | 'profile'>,
): Verdict[] {
  const isPossible: Partial<Record<Verdict, boolean>> = {
    excused: waivers.length > 0,
    'unexpected-pass': waivers.length > 0,
    'follows-the-text': profile.divergences.length > 0,
  }
  return verdicts.filter((verdict) => counts[verdict] > 0 || (isPossible[verdict] ?? true))
}
