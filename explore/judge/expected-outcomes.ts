import { operationNamed } from '../../interface/operations.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { Step } from '../send/step.js'
import { featuresWith, membersIn } from './features.js'
import { isCheckMet } from './member-rules.js'

/** All rows of a situation expect the same outcome. */
export interface ExpectedOutcome {
  profile: ResolvedExpectation
  /** From the text alone. */
  text: ResolvedExpectation
  rows: SituationRow[]
  isOfForm: boolean
}

export interface SituationRow {
  rules: readonly string[]
  /** Features that no accepted row has. */
  unusual: readonly string[]
  /** Features that less than half of the accepted rows have. */
  rare: readonly string[]
}

export interface OperationOutcomes {
  bySituation: Map<string, ExpectedOutcome>
  members: Set<string>
}

export type ExpectedOutcomes = ReadonlyMap<string, OperationOutcomes>

export function collectOutcomes(suite: ResolvedSuite, text: ResolvedSuite): ExpectedOutcomes {
  const found = new Map<string, OperationOutcomes>()
  const sources = sourcesIn(suite, text)
  for (const { operation, act } of sources) {
    const known = found.get(operation) ?? { bySituation: new Map(), members: new Set() }
    found.set(operation, known)
    for (const name of membersIn(act.request)) known.members.add(name)
  }
  const accepted = countAccepted(sources, found)
  for (const { operation, before, act, own, alone, situation } of sources) {
    const { bySituation, members } = found.get(operation) ?? noOutcomes
    const outcome = bySituation.get(situation) ?? { profile: own, text: alone, rows: [], isOfForm: true }
    bySituation.set(situation, outcome)
    if (isUsual(act)) outcome.isOfForm = false
    const { counts, rows } = accepted.get(operation) ?? noAccepted
    const features = [...featuresWith(before, act, members)]
    outcome.rows.push({
      rules: own.rules,
      unusual: features.filter((feature) => !counts.has(feature)),
      rare: features.filter((feature) => (counts.get(feature) ?? 0) * 2 < rows),
    })
  }
  return found
}

export const noOutcomes: OperationOutcomes = { bySituation: new Map(), members: new Set() }

interface Source {
  operation: string
  before: readonly ResolvedStep[]
  act: ResolvedStep
  own: ResolvedExpectation
  /** From the text alone. */
  alone: ResolvedExpectation
  situation: string
}

function sourcesIn(suite: ResolvedSuite, text: ResolvedSuite): Source[] {
  const textRows = new Map(text.rows.map((row) => [row.id, row]))
  return suite.rows.flatMap((row) => {
    const index = row.steps.findIndex(({ role }) => role === 'act')
    const act = row.steps[index]
    const own = outcomeIn(act)
    const alone = outcomeIn(textRows.get(row.id)?.steps[index])
    return act && own?.situation && alone
      ? [{ operation: row.operation, before: row.steps.slice(0, index), act, own, alone, situation: own.situation }]
      : []
  })
}

const outcomeIn = (step: ResolvedStep | undefined): ResolvedExpectation | undefined =>
  step?.expectations.find(({ kind }) => kind === 'outcome')

interface Accepted {
  rows: number
  counts: Map<string, number>
}

const noAccepted: Accepted = { rows: 0, counts: new Map() }

function countAccepted(sources: readonly Source[], outcomes: ExpectedOutcomes): Map<string, Accepted> {
  const found = new Map<string, Accepted>()
  for (const { operation, before, act, alone } of sources) {
    if (!alone.anyOf.every(({ outcome }) => outcome === 'accepted')) continue
    const accepted = found.get(operation) ?? { rows: 0, counts: new Map<string, number>() }
    found.set(operation, accepted)
    accepted.rows += 1
    for (const feature of featuresWith(before, act, (outcomes.get(operation) ?? noOutcomes).members))
      accepted.counts.set(feature, (accepted.counts.get(feature) ?? 0) + 1)
  }
  return found
}

/** Chooses the most specific expectation that the reference meets and, if possible, the target does not. */
export function situationOf(
  { bySituation }: OperationOutcomes,
  step: Step,
  reference: Answer | undefined,
  target: Answer | undefined,
): string | undefined {
  if (!reference) return undefined
  const met = [...bySituation].filter(
    ([, { profile, isOfForm }]) => (!isOfForm || !isUsual(step)) && isMet(profile, reference),
  )
  const distinguishing = met.filter(([, { profile }]) => !target || !isMet(profile, target))
  const countChecks = ([, { profile }]: [string, ExpectedOutcome]): number =>
    profile.anyOf.length > 1 ? 0 : (profile.anyOf[0]?.checks.length ?? 0)
  const ranked = (distinguishing.length > 0 ? distinguishing : met).toSorted((a, b) => countChecks(b) - countChecks(a))
  return ranked[0]?.[0]
}

export const possibleOutcomes = ({ bySituation }: OperationOutcomes, step: Step): ExpectedOutcome[] =>
  [...bySituation.values()].filter(({ isOfForm }) => !isOfForm || !isUsual(step))

function isUsual({ operation, request, token }: Pick<ResolvedStep, 'operation' | 'request' | 'token'>): boolean {
  const { method, path, query, body, wire } = request
  const known = operationNamed(operation)
  const isJson = body !== undefined && 'json' in body && body.written === undefined
  return method === known?.method && path === known.path && !query && isJson && !wire && !token
}

/** Checks of several answers do not count. */
export const isMet = ({ anyOf }: ResolvedExpectation, answer: Answer): boolean =>
  anyOf.some(({ checks }) =>
    checks
      .filter(({ on }) => on === 'status' || on === 'media-type' || on === 'body')
      .every((check) => hasNoVariable(check) && isCheckMet(check, answer)),
  )

/** Variables have no values here. */
const hasNoVariable = (check: unknown): boolean => !JSON.stringify(check).includes('${')
