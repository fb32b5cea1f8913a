/** What an exploration has come to. */

import { isJsonObject, type JsonValue } from '../lib/json/json.js'
import type { Data } from '../record/types/resolved-row.js'
import { saidBy } from './compare/compare-answers.js'
import type { Talk } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { Impossible } from './histories/run-trial.js'
import type { Finding, MetDivergence } from './judge/finding.js'
import { bodyOfTurn } from './send/step.js'

export interface Explored {
  conversations: number
  /** Requests that were answered by both sides, and compared. */
  exchanges: number
  /** Those that were sent once more to confirm, shrink and judge what differed. */
  retried: number
  /** Requests of several clients at once, which only the target was sent. */
  raced: number
  seconds: number
  findings: Finding[]
  /** Answers to several clients at once that no order explains; one for each kind of round. */
  histories: HistoryFinding[]
  /** Rounds of several clients that were had. */
  rounds: number
  divergences: MetDivergence[]
  /** Differences that the text permits, by signature, with how often they were met. */
  permitted: Map<string, number>
  /** Differences that did not show again when they were tried once more. */
  unconfirmed: Map<string, number>
  /** Operation and what the model said, with how often. */
  outcomes: Map<string, number>
  /** Operation, member of its request and class of the value there, with how often. */
  values: Map<string, number>
}

export interface HistoryFinding extends Impossible {
  id: string
  /** How many rounds of that kind were like this, of how many. */
  times: number
  of: number
  /** Seconds from the beginning. */
  seenAfter: number
  /** Requests of all kinds that had been sent by then. */
  askedBefore: number
}

/** Requests of all kinds: compared, sent once more, and of several clients at once. */
export const askedIn = ({ exchanges, retried, raced }: Explored): number => exchanges + retried + raced

export const nothingExplored = (): Explored => ({
  ...{
    conversations: 0,
    exchanges: 0,
    retried: 0,
    raced: 0,
    seconds: 0,
    rounds: 0,
    findings: [],
    histories: [],
    divergences: [],
  },
  ...{ permitted: new Map(), unconfirmed: new Map(), outcomes: new Map(), values: new Map() },
})

export const addTo = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Counts what was met. */
export class Coverage {
  readonly #explored: Explored
  /** Of the requests of each operation, those members that were met so far. */
  readonly #members = new Map<string, Set<string>>()

  constructor(explored: Explored) {
    this.#explored = explored
  }

  count({ exchanges }: Talk): void {
    const { outcomes, values } = this.#explored
    for (const { turn, model } of exchanges) {
      addTo(outcomes, `${turn.operation} ${saidBy(model)}`)
      const body = bodyOfTurn(turn)
      if (!isJudged(turn) || typeof body !== 'object' || body === null || Array.isArray(body)) continue
      const members = this.#members.get(turn.operation) ?? new Set<string>()
      this.#members.set(turn.operation, members)
      for (const name of Object.keys(body)) members.add(name)
      for (const name of members) addTo(values, `${turn.operation} ${name} ${valueClass(body[name])}`)
    }
  }
}

/** What kind of value a member of a request holds, roughly: what explorations tell that they met. */
function valueClass(value: Data | JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return value < 0 ? 'negative number' : value === 0 ? 'zero' : 'number'
  if (typeof value === 'string') return value === '' ? 'empty text' : value.length > 200 ? 'long text' : 'text'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : value.length === 1 ? 'one item' : 'several items'
  if (isJsonObject(value as JsonValue) && Object.keys(Object(value)).length === 0) return 'empty object'
  return 'object'
}
