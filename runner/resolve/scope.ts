import type { Confidence, SourceLine, Strength } from '../../record/types/resolved-row.js'
import type { Location, Profile, Suite } from '../suite/suite.js'

/** What an expectation takes from around it. */
export interface ExpectationScope {
  profile: Profile
  strengths: ReadonlyMap<string, Strength>
  /** Rules that are no sentences of the text. */
  facts: ReadonlySet<string>
  /** That of the request under test of the row. */
  situation?: string | undefined
  /** What else is wrong with the request. */
  besides?: string | undefined
  /** Rules of an expectation that names none. */
  rules: string[]
}

export const strengthsOf = ({ rules }: Suite): Map<string, Strength> =>
  new Map([...rules.values()].map(({ id, strength }) => [id, strength]))

export const factsOf = ({ rules }: Suite): Set<string> =>
  new Set([...rules.values()].flatMap(({ id, factOf }) => (factOf === undefined ? [] : [id])))

/** The rules that an expectation judges: by the text alone none that is a fact. */
export function rulesOf({ rules: own }: { rules?: string[] }, { rules, facts, profile }: ExpectationScope): string[] {
  const named = own ?? rules
  return profile.basis === 'text' ? named.filter((id) => !facts.has(id)) : named
}

const order: readonly Strength[] = ['must', 'should', 'may', 'client']

/** An expectation is as strong as the strongest rule that it judges. */
export function strongest(rules: readonly string[], strengths: ReadonlyMap<string, Strength>): Strength {
  const found = rules.flatMap((id) => strengths.get(id) ?? [])
  return order.find((strength) => found.includes(strength)) ?? 'must'
}

export const lineOf = ({ file, line }: Location): SourceLine => ({ file, line })

/** The basis of a fact, for reports. Suite files write `observed` for the participant that the profile describes. */
export function basisOf({ source, confidence }: { source: string; confidence: Confidence }): string {
  if (source === 'observed') return 'observed on a live participant'
  return confidence === 'read' ? `read in source code: ${source}` : source
}
