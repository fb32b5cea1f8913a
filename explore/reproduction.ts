/** Sends a sequence again, and compares its last difference. */
import type { Step } from '../record/types/exploration.js'
import type { Difference } from './compare/compare-answers.js'
import { type Exchange, fixedSteps, runSequence, type SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { OpenExploration, Worker } from './open-exploration.js'

export interface ObservedDifference {
  worker: Worker
  steps: readonly Step[]
  exchange: Exchange
  difference: Difference
}

export class Reproduction {
  readonly signature: string
  /** The latest exchange that shows the difference, and the exchanges before it. */
  last: Exchange
  before: readonly Exchange[] = []
  readonly #worker: Worker
  readonly #opened: OpenExploration
  readonly #countRetried: (requests: number) => void
  /** The completions of a confirmed difference are not late. */
  #isConfirmed = false

  constructor(
    { worker, exchange, difference }: ObservedDifference,
    opened: OpenExploration,
    countRetried: (requests: number) => void,
  ) {
    this.signature = difference.signature
    this.last = exchange
    this.#worker = worker
    this.#opened = opened
    this.#countRetried = countRetried
  }

  /** True if the last step differs as before. */
  async stillDiffers(steps: readonly Step[]): Promise<boolean> {
    // Otherwise the difference is an effect of other sequences.
    if (!steps.some(isJudged)) return false
    const { ended, exchanges } = await this.send(steps)
    const differs = ended?.difference?.signature === this.signature
    if (!differs || exchanges.length !== steps.length) return false
    this.last = ended
    this.before = exchanges.slice(0, -1)
    this.#isConfirmed = true
    return true
  }

  /** True if no step differs. */
  async isGone(steps: readonly Step[]): Promise<boolean> {
    const { exchanges } = await this.send(steps)
    return exchanges.every(({ difference }) => difference === undefined)
  }

  async send(steps: readonly Step[]): Promise<SequenceResult> {
    const pair = { ...this.#worker.pair, isPatient: !this.#isConfirmed }
    const last = steps.at(-1)
    const result = await runSequence(pair, fixedSteps(steps), this.#opened.newRow(), ({ step }) => step !== last)
    this.#countRetried(result.exchanges.length)
    if (containsVettingChange(result.exchanges)) await restoreVetting(this.#worker, this.#opened)
    return result
  }
}

export const containsVettingChange = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ step }) => step.operation === 'update-package-vetting')

/** Also after a part of a sequence. */
export async function restoreVetting({ pair }: Worker, { restoringSteps, newRow }: OpenExploration): Promise<void> {
  if (restoringSteps.length > 0) await runSequence(pair, fixedSteps(restoringSteps), newRow(), () => true)
}
