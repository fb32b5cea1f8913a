/** Sends a request sequence to both sides step by step, until their answers differ. */
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonValue } from '../../lib/json/json.js'
import type { Environment } from '../send/environment.js'
import { captureFrom, type StepResult, sendStep } from '../send/send-step.js'
import type { Side } from '../send/side.js'
import type { Step } from '../send/step.js'
import { compareAnswers, type Difference, outcomeOf } from './compare-answers.js'
import { Correspondence } from './correspondence.js'

export interface Exchange {
  step: Step
  reference: StepResult
  target: StepResult
  difference?: Difference
}

/** Both sides, each with its environment. */
export interface Pair {
  reference: Side
  target: Side
  environments: { reference: Environment; target: Environment }
}

/** Supplies steps: generated from earlier answers, or fixed. */
export interface StepSource {
  /** Returns undefined at the end of the sequence. */
  next(): Step | undefined
  /** Receives the body of a 2xx answer of the reference, otherwise undefined. */
  observe?(step: Step, answer: JsonValue | undefined): void
  /** Called when the gate has admitted a step. If true, the step is not sent and the sequence ends. */
  isOver?(): boolean
}

export interface SequenceResult {
  exchanges: Exchange[]
  /** The exchange whose difference ended the sequence. */
  ended?: Exchange
}

/** Starts the work as soon as both sides may receive it. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

const open: Gate = (work) => work()

/** `continuesAfter`: the sequence continues after this difference. `row`: a unique value of `${row}`. */
export const runSequence = (
  pair: Pair,
  source: StepSource,
  row: string,
  continuesAfter: (exchange: Exchange) => boolean,
): Promise<SequenceResult> => new SequenceRun(pair, row, continuesAfter).run(source)

/** Runs a sequence in one or more parts that share variables and ids. */
export class SequenceRun {
  readonly #pair: Pair
  readonly #continuesAfter: (exchange: Exchange) => boolean
  readonly #ids = new Correspondence()
  readonly #variables: { reference: Map<string, JsonValue>; target: Map<string, JsonValue> }
  readonly #exchanges: Exchange[] = []

  constructor(pair: Pair, row: string, continuesAfter: (exchange: Exchange) => boolean) {
    const { reference, target } = pair.environments
    this.#pair = pair
    this.#continuesAfter = continuesAfter
    for (const [name, own] of reference.variables) {
      const other = target.variables.get(name)
      if (typeof own === 'string' && typeof other === 'string') bindDigests(own, other, this.#ids)
    }
    this.#variables = {
      reference: new Map(reference.variables).set('row', row),
      target: new Map(target.variables).set('row', row),
    }
  }

  /** True once a serial was seen: a vetting change by another worker then invalidates the sequence. */
  get dependsOnVetting(): boolean {
    return this.#ids.knowsSerials
  }

  /** Returns the exchanges of all parts so far. Each step waits for its delay, then for the gate. */
  async run(source: StepSource, gate: Gate = open): Promise<SequenceResult> {
    for (let step = source.next(); step; step = source.next()) {
      const exchange = await this.#exchange(step, source, gate)
      if (!exchange) break
      this.#exchanges.push(exchange)
      if (exchange.difference && !this.#continuesAfter(exchange)) return { exchanges: this.#exchanges, ended: exchange }
    }
    return { exchanges: this.#exchanges }
  }

  async #exchange(step: Step, source: StepSource, gate: Gate): Promise<Exchange | undefined> {
    const variables = this.#variables
    if (step.after !== undefined) await delay(step.after)
    const results = await gate(async () => (source.isOver?.() ? undefined : this.#send(step)))
    if (!results) return undefined
    const [reference, target] = results
    source.observe?.(step, outcomeOf(reference) === 'accepted' ? reference.answer?.json : undefined)
    captureFrom(reference, step, variables.reference)
    captureFrom(target, step, variables.target)
    const difference = step.restores ? undefined : compareAnswers(reference, target, this.#ids)
    return { step, reference, target, ...(difference && { difference }) }
  }

  #send(step: Step): Promise<[reference: StepResult, target: StepResult]> {
    const { reference, target } = this.#pair
    const variables = this.#variables
    return Promise.all([sendStep(step, variables.reference, reference), sendStep(step, variables.target, target)])
  }
}

/** A party id ends with a digest that answers also contain alone. */
function bindDigests(own: string, other: string, ids: Correspondence): void {
  const [ours, theirs] = [own, other].map((text) => /1220[0-9a-f]{64}/.exec(text)?.[0])
  if (ours !== undefined && theirs !== undefined) ids.bind(ours, theirs)
}

export function fixedSteps(steps: readonly Step[]): StepSource {
  const remaining = [...steps]
  return { next: () => remaining.shift() }
}
