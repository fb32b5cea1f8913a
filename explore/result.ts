import { isJsonObject, type JsonValue } from '../lib/json/json.js'
import type { Data } from '../record/types/resolved-row.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import type { SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { NonLinearizableHistory } from './histories/trial.js'
import type { Finding, MetDivergence } from './judge/finding.js'
import { bodyOfStep } from './send/step.js'

export interface ExplorationResult {
  sequences: number
  /** Sequences, trials and differences that an outage disturbed. */
  discarded: number
  exchanges: number
  /** Steps that were repeated to confirm, minimize and judge differences. */
  retried: number
  /** Requests of concurrency trials, sent only to the target. */
  raced: number
  seconds: number
  findings: Finding[]
  histories: HistoryFinding[]
  trials: number
  divergences: MetDivergence[]
  permitted: Map<string, number>
  /** Differences that no repetition confirmed, by signature. */
  unconfirmed: Map<string, number>
  /** By operation and summary of the reference's answer. */
  outcomes: Map<string, number>
  values: Map<string, number>
}

export interface HistoryFinding extends NonLinearizableHistory {
  id: string
  /** `times` of `of` trials had a non-linearizable history. */
  times: number
  of: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  requestsBefore: number
}

export const countRequests = ({ exchanges, retried, raced }: ExplorationResult): number => exchanges + retried + raced

export const emptyResult = (): ExplorationResult => ({
  ...{ sequences: 0, discarded: 0, exchanges: 0, retried: 0, raced: 0, seconds: 0, trials: 0 },
  ...{ findings: [], histories: [], divergences: [] },
  ...{ permitted: new Map(), unconfirmed: new Map(), outcomes: new Map(), values: new Map() },
})

export const addTo = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

export class Coverage {
  readonly #result: ExplorationResult
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
