import type { Verdict } from '../../record/types/verdict.js'
import { isJudged } from '../wording/rows.js'
import { count } from '../wording/words.js'

interface Judged {
  verdict: Verdict
  verdictByText?: Verdict
}

const passing: readonly Verdict[] = ['pass', 'warning', 'unexpected-pass']

/**
 * `149 of 158 judged rows pass by the text alone`; undefined if the text is the profile. Without rows whose requests differ
 * by the text.
 */
export function textTally(rows: readonly Judged[], { profile }: { profile: { name: string } }): string | undefined {
  if (profile.name === 'interface') return undefined
  const verdicts = rows.filter(isJudged).flatMap((row) => byText(row) ?? [])
  const judged = verdicts.filter((verdict) => isJudged({ verdict }))
  if (judged.length === 0) return undefined
  const passed = judged.filter((verdict) => passing.includes(verdict)).length
  return `${passed} of ${count(judged.length, 'judged row passes', 'judged rows pass')} by the text alone`
}

/** A pass without a divergence is also a pass by the text. */
const byText = ({ verdict, verdictByText }: Judged): Verdict | undefined =>
  verdictByText ?? (passing.includes(verdict) ? verdict : undefined)
