/** The verdicts a row can get, in the order in which every report lists them (worst news first). */
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

/** What each verdict tells its reader, in one phrase; legends and tooltips use it. */
export const verdictMeaning: Record<Verdict, string> = {
  fail: 'an obligation (must) was not met',
  error: 'the tool itself could not judge this row',
  blocked: 'something that this row needs, or a look before or after it, failed',
  'unexpected-pass': 'a waiver expects this row to fail, and it passed',
  warning:
    'a recommendation (should) was not met, or the answer differs from what was only read in the source of the reference',
  excused: 'it failed, and a waiver covers it',
  'follows-the-text': 'it does what the text says, where the reference of the profile was seen to do something else',
  'not-applicable': 'this target or profile has nothing to judge here',
  pass: 'everything expected was met',
}

/** Verdicts that make a run non-conforming. */
export const nonConforming: readonly Verdict[] = ['fail', 'error', 'blocked', 'unexpected-pass']

export type VerdictCounts = Record<Verdict, number>

/** How often each verdict occurs; every verdict is present, zero included. */
export function countVerdicts(found: Iterable<Verdict>): VerdictCounts {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as VerdictCounts // every verdict is a key by construction
  for (const verdict of found) counts[verdict] += 1
  return counts
}
