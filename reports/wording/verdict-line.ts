import { type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** Every verdict with its count, in the fixed order: the line that all reports have in common. */
export function verdictLine(counts: VerdictCounts): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}
