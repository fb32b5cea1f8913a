/** The result of an exploration: its findings, and counts of requests, outcomes and values. */
import { isJsonObject, type JsonValue } from '../lib/json/json.js'
import type { Data } from '../record/types/resolved-row.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import type { SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { NonLinearizableHistory } from './histories/run-trial.js'
import type { Finding, MetDivergence } from './judge/finding.js'
import { bodyOfStep } from './send/step.js'

export interface ExplorationResult {
  sequences: number
  /** Steps that both sides answered. */
  exchanges: number
  /** Steps that were repeated to confirm, minimize and judge differences. */
  retried: number
  /** Requests of concurrency trials. Only the target receives them. */
  raced: number
  seconds: number
  findings: Finding[]
  /** The first one of each kind of trial. */
  histories: HistoryFinding[]
  trials: number
  divergences: MetDivergence[]
  /** Permitted differences by signature. */
  permitted: Map<string, number>
  /** Differences that no repetition confirmed, by signature. */
  unconfirmed: Map<string, number>
  /** By operation and summary of the reference's answer. */
  outcomes: Map<string, number>
  /** By operation, member of its request and class of the member's value. */
  values: Map<string, number>
}

export interface HistoryFinding extends NonLinearizableHistory {
  id: string
  /** `times` of `of` trials of this kind had a non-linearizable history. */
  times: number
  of: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  /** Requests of all kinds before it. */
  requestsBefore: number
}

export const countRequests = ({ exchanges, retried, raced }: ExplorationResult): number => exchanges + retried + raced

export const emptyResult = (): ExplorationResult => ({
  ...{ sequences: 0, exchanges: 0, retried: 0, raced: 0, seconds: 0, trials: 0 },
  ...{ findings: [], histories: [], divergences: [] },
  ...{ permitted: new Map(), unconfirmed: new Map(), outcomes: new Map(), values: new Map() },
})

export const addTo = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Counts outcomes and request values in a result. */
export class Coverage {
  readonly #result: ExplorationResult
  /** All request members so far, by operation. */
  readonly #members = new Map<string, Set<string>>()

  constructor(result: ExplorationResult) {
    this.#result = result
  }

  count({ exchanges }: SequenceResult): void {
    const { outcomes, values } = this.#result
    for (const { step, reference } of exchanges) {
      addTo(outcomes, `${step.operation} ${summarizeAnswer(reference)}`)
      const body = bodyOfStep(step)
      if (!isJudged(step) || typeof body !== 'object' || body === null || Array.isArray(body)) continue
      const members = this.#members.get(step.operation) ?? new Set<string>()
      this.#members.set(step.operation, members)
      for (const name of Object.keys(body)) members.add(name)
      for (const name of members) addTo(values, `${step.operation} ${name} ${valueClass(body[name])}`)
    }
  }
}

/** A coarse class of values, shown in reports. */
function valueClass(value: Data | JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return value < 0 ? 'negative number' : value === 0 ? 'zero' : 'number'
  if (typeof value === 'string') return value === '' ? 'empty string' : value.length > 200 ? 'long string' : 'string'
  if (Array.isArray(value))
    return value.length === 0 ? 'empty array' : value.length === 1 ? 'one item' : 'several items'
  if (isJsonObject(value as JsonValue) && Object.keys(Object(value)).length === 0) return 'empty object'
  return 'object'
}
