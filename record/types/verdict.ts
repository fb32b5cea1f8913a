/** Worst first, as in reports. */
export const verdicts = [
  'fail',
  'error',
  'blocked',
  'unexpected-pass',
  'warning',
  'excused',
  'follows-the-text',
  'not-applicable',
  'pass',
] as const

export type Verdict = (typeof verdicts)[number]

export const verdictMeaning: Record<Verdict, string> = {
  fail: 'a mandatory expectation was not met',
  error: 'the tool failed and could not judge the row',
  blocked:
    'evidence is missing: an operation, a fixture, a preparing step, a probe, the restoration or a read of the ledger',
  'unexpected-pass': 'a waiver covers the row, but the row passed',
  warning: 'a recommendation was not met, or the response differs from a fact read in the source code of the reference',
  excused: 'the row failed, and a waiver covers it',
  'follows-the-text': 'the target follows the text instead of a recorded divergence of the profile',
  'not-applicable': 'the row does not apply to this target or profile',
  pass: 'every expectation was met',
}

export const nonConforming: readonly Verdict[] = ['fail', 'error', 'blocked', 'unexpected-pass']

export type VerdictCounts = Record<Verdict, number>

export function countVerdicts(found: Iterable<Verdict>): VerdictCounts {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as VerdictCounts // every verdict is a key by construction
  for (const verdict of found) counts[verdict] += 1
  return counts
}
