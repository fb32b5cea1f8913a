import type { RunHeader } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** Symbols that the fonts of every system contain. */
export const verdictIcon: Record<Verdict, string> = {
  fail: '✗',
  error: '!',
  blocked: '■',
  'unexpected-pass': '?',
  warning: '▲',
  excused: '~',
  'follows-the-text': '§',
  'not-applicable': '–',
  pass: '✓',
}

export function verdictLine(counts: VerdictCounts): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}

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
