import { operationNamed } from '../../interface/operations.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { AnyStep } from '../send/step.js'
import { isCheckMet } from './member-rules.js'

/** Of the first row of a situation. A profile can state other outcomes for single rows (`by-row`). */
export interface ExpectedOutcome {
  profile: ResolvedExpectation
  /** From the text alone. */
  text: ResolvedExpectation
  /** Of all rows; a rule occurs as often as rows test it. */
  rules: string[]
  /** All rows send requests of an unusual form. */
  isOfForm: boolean
}

/** By operation and situation. */
export type ExpectedOutcomes = ReadonlyMap<string, ReadonlyMap<string, ExpectedOutcome>>

export function collectOutcomes(suite: ResolvedSuite, text: ResolvedSuite): ExpectedOutcomes {
  const textRows = new Map(text.rows.map((row) => [row.id, row]))
  const found = new Map<string, Map<string, ExpectedOutcome>>()
  for (const row of suite.rows) {
    const index = row.steps.findIndex(({ role }) => role === 'act')
    const act = row.steps[index]
    const own = outcomeIn(act)
    const alone = outcomeIn(textRows.get(row.id)?.steps[index])
    if (!act || own?.situation === undefined || !alone) continue
    const bySituation = found.get(row.operation) ?? new Map<string, ExpectedOutcome>()
    found.set(row.operation, bySituation)
    const outcome = bySituation.get(own.situation) ?? { profile: own, text: alone, rules: [], isOfForm: true }
    bySituation.set(own.situation, outcome)
    if (hasUsualForm(act)) outcome.isOfForm = false
    outcome.rules.push(...own.rules)
  }
  return found
}

const outcomeIn = (step: ResolvedStep | undefined): ResolvedExpectation | undefined =>
  step?.expectations.find(({ kind }) => kind === 'outcome')

export function hasUsualForm({ operation, request, token }: AnyStep): boolean {
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
