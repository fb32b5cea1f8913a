import type { RunHeader } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** The verdicts that rows of the run have or could have had: without waivers nothing is excused, without divergences nothing follows the text in spite of them. */
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
