/** Sends a sequence to both sides until their answers differ. */

import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Step } from '../../record/types/exploration.js'
import type { Reason } from '../../record/types/reason.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { Environment } from '../send/environment.js'
import type { Side } from '../send/side.js'
import { captureFrom, type StepResult, sendStep } from '../send/step.js'
import {
  type Answers,
  compareAnswers,
  type Difference,
  type OwnPackages,
  outcomeOf,
  withoutOtherRows,
} from './compare-answers.js'
import { Correspondence } from './correspondence.js'

export interface ComparedAnswers extends Answers {
  difference?: Difference
}

export interface Exchange extends ComparedAnswers {
  step: Step
}

export interface Sides {
  reference: Side
  target: Side
}

export interface Pair extends Sides {
  environments: { reference: Environment; target: Environment }
  ownPackages?: OwnPackages
  /** Default: true. Late completions of the target are read again. */
  isPatient?: boolean
}

export interface StepSource {
  next(): Step | undefined
  /** `answer`: a 2xx body of the reference, otherwise undefined. */
  observe?(step: Step, answer: JsonValue | undefined): void
}

export interface SequenceResult {
  exchanges: Exchange[]
  ended?: Exchange
  /** The reason why the result cannot be judged. */
  disruption?: Reason
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

const open: Gate = (work) => work()

/** `continuesAfter`: accepts a known difference. `row`: a unique value of `${row}`, such as 0a1b2c3dr7. */
export const runSequence = (
  pair: Pair,
  source: StepSource,
  row: string,
  continuesAfter: (exchange: Exchange) => boolean,
): Promise<SequenceResult> => new SequenceRun(pair, row, continuesAfter).run(source)

export class SequenceRun {
  readonly #pair: Pair
  readonly #row: string
  readonly #continuesAfter: (exchange: Exchange) => boolean
  readonly #ids = new Correspondence()
  readonly #variables: { reference: Map<string, JsonValue>; target: Map<string, JsonValue> }
  readonly #exchanges: Exchange[] = []

  constructor(pair: Pair, row: string, continuesAfter: (exchange: Exchange) => boolean) {
    const { reference, target } = pair.environments
    this.#pair = pair
    this.#row = row
    this.#continuesAfter = continuesAfter
    for (const [name, own] of reference.variables) {
      const other = target.variables.get(name)
      if (typeof own !== 'string' || typeof other !== 'string') continue
      bindDigests(own, other, this.#ids)
      this.#ids.bindName(own, other)
    }
    this.#variables = {
      reference: new Map(reference.variables).set('row', row),
      target: new Map(target.variables).set('row', row),
    }
  }

  /** Returns the exchanges of all parts. Each step waits for its delay, then for the gate. */
  async run(source: StepSource, gate: Gate = open): Promise<SequenceResult> {
    for (let step = source.next(); step; step = source.next()) {
      const exchange = await this.#exchange(step, source, gate)
      this.#exchanges.push(exchange)
      const disruption = exchange.reference.disruption ?? exchange.target.disruption
      if (disruption !== undefined) return { exchanges: this.#exchanges, disruption }
      if (exchange.difference && !this.#continuesAfter(exchange)) return { exchanges: this.#exchanges, ended: exchange }
    }
    return { exchanges: this.#exchanges }
  }

  async #exchange(step: Step, source: StepSource, gate: Gate): Promise<Exchange> {
    const variables = this.#variables
    if (step.after !== undefined) await delay(step.after)
    const [ours, theirs] = await gate(() => this.#send(step))
    const [reference, target] = [withoutOtherRows(ours, step, this.#row), withoutOtherRows(theirs, step, this.#row)]
    source.observe?.(step, outcomeOf(reference) === 'accepted' ? reference.answer?.json : undefined)
    captureFrom(reference, step, variables.reference)
    captureFrom(target, step, variables.target)
    const difference = step.restores
      ? undefined
      : compareAnswers(step, { reference, target }, this.#ids, this.#pair.ownPackages)
    return { step, reference, target, ...(difference && { difference }) }
  }

  async #send(step: Step): Promise<[reference: StepResult, target: StepResult]> {
    const { reference, target } = this.#pair
    const variables = this.#variables
    const sendToTarget = (one: Step): Promise<StepResult> => sendStep(one, variables.target, target)
    const [ours, theirs] = await Promise.all([sendStep(step, variables.reference, reference), sendToTarget(step)])
    const expected = withoutCheckpoints(ours, step)
    if (this.#pair.isPatient === false) return [expected, withoutCheckpoints(theirs, step)]
    return [expected, await readLateCompletions(step, expected, theirs, sendToTarget)]
  }
}

/** Answers also contain the digest of a party id alone. */
function bindDigests(own: string, other: string, ids: Correspondence): void {
  const [ours, theirs] = [own, other].map((text) => /1220[0-9a-f]{64}/.exec(text)?.[0])
  if (ours !== undefined && theirs !== undefined) ids.bind(ours, theirs)
}

export function fixedSteps(steps: readonly Step[]): StepSource {
  const remaining = [...steps]
  return { next: () => remaining.shift() }
}

/** Milliseconds before each further read of a list that lacks elements: completions arrive later than the answers. */
const pauses: readonly number[] = [500, 1000]

const isCheckpoint = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  Object.values(item).some((response) => isJsonObject(response) && Object.hasOwn(response, 'OffsetCheckpoint'))

const listIn = (answer: Answer | undefined): readonly JsonValue[] | undefined =>
  answer && answer.status < 300 && Array.isArray(answer.json) ? answer.json : undefined

const lists: ReadonlySet<string> = new Set(['completions', 'updates'])

/** The text permits checkpoints anywhere in a list. */
function withoutCheckpoints(result: StepResult, { operation, request }: Step): StepResult {
  const list = lists.has(operation) ? listIn(result.answer) : undefined
  if (!result.answer || !list?.some(isCheckpoint)) return result
  const limit = Number(request.query?.['limit'] ?? Number.POSITIVE_INFINITY)
  const { answer } = result
  const json = list.filter((item) => !isCheckpoint(item)).slice(0, limit)
  return { ...result, answer: { ...answer, json } }
}

/** Reads the completions of the target again while it has fewer than the reference. */
async function readLateCompletions(
  step: Step,
  reference: StepResult,
  first: StepResult,
  send: (step: Step) => Promise<StepResult>,
): Promise<StepResult> {
  const expected = listIn(reference.answer)?.length ?? 0
  let last = first
  let sent = step
  for (const pause of pauses) {
    const list = listIn(last.answer)
    const kept = withoutCheckpoints(last, step)
    if (step.operation !== 'completions' || !list || (listIn(kept.answer)?.length ?? 0) >= expected) return kept
    const checkpoints = list.filter(isCheckpoint).length
    if (checkpoints === 0) await delay(pause)
    sent = withLimit(step, expected + checkpoints)
    last = await send(sent)
  }
  return withoutCheckpoints(last, step)
}

/** Checkpoints count towards the limit. */
const withLimit = (step: Step, limit: number): Step => ({
  ...step,
  request: { ...step.request, query: { ...step.request.query, limit: String(limit) } },
})
