/** Verdicts in all reports: their symbols and their counts. */
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** Symbols that the fonts of every system contain; each stands beside its verdict. */
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

/** Every verdict with its count, in the fixed order. */
export function verdictLine(counts: VerdictCounts): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}
