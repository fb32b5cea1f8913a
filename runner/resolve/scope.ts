import type { Confidence, SourceLine, Strength } from '../../record/types/resolved-row.js'
import type { Location, Profile, SituationFact, Suite } from '../suite/suite.js'

/** The same for all steps. */
export interface SuiteScope {
  profile: Profile
  strengths: ReadonlyMap<string, Strength>
  /** Rules that are not sentences of the text. */
  facts: ReadonlySet<string>
}

export interface StepScope {
  /** Of the request under test. */
  situation?: string | undefined
  besides?: string | undefined
  /** Id of the row, if the profile has facts of its own for the request under test. */
  row?: string | undefined
  /** Rules of expectations without their own. */
  rules: string[]
}

export interface ExpectationScope extends SuiteScope, StepScope {}

export function situationFact(situation: string, { profile, row }: ExpectationScope): SituationFact | undefined {
  const fact = profile.situations.get(situation)
  const own = row === undefined ? undefined : fact?.byRow?.get(row)
  if (!fact || !own) return fact
  const { divergence: _, byRow: __, ...shared } = fact
  return { ...shared, ...own }
}

export const strengthsOf = ({ rules }: Suite): Map<string, Strength> =>
  new Map([...rules.values()].map(({ id, strength }) => [id, strength]))

export const factsOf = ({ rules }: Suite): Set<string> =>
  new Set([...rules.values()].flatMap(({ id, factOf }) => (factOf === undefined ? [] : [id])))

export function rulesOf({ rules: own }: { rules?: string[] }, { rules, facts, profile }: ExpectationScope): string[] {
  const named = own ?? rules
  return profile.basis === 'text' ? named.filter((id) => !facts.has(id)) : named
}

const order: readonly Strength[] = ['must', 'should', 'may', 'client']

export function strongest(rules: readonly string[], strengths: ReadonlyMap<string, Strength>): Strength {
  const found = rules.flatMap((id) => strengths.get(id) ?? [])
  return order.find((strength) => found.includes(strength)) ?? 'must'
}

export const lineOf = ({ file, line }: Location): SourceLine => ({ file, line })

/** For reports. Suite files write `observed` for the participant that the profile describes. */
export function basisOf({ source, confidence }: { source: string; confidence: Confidence }): string {
  if (source === 'observed') return 'observed on a live participant'
  return confidence === 'read' ? `read in source code: ${source}` : source
}

/** Each suite must have these rules. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const

export const jsonBodies = 'GEN-JSON-BODY'

export const noEffect = 'GEN-NO-EFFECT'

/** By operation: the rule that an accepted request has no other effect. */
export const nothingElse: ReadonlyMap<string, string> = new Map([
  ['submit-and-wait', 'SAW-PURPOSE'],
  ['execute', 'EXE-PURPOSE'],
  ['execute-and-wait-for-transaction', 'EXE-PURPOSE'],
  ['execute-and-wait', 'EXE-PURPOSE'],
])
