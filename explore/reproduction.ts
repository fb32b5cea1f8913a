/** Sends a sequence again, and compares its last difference. */
import type { Step } from '../record/types/exploration.js'
import { type Exchange, fixedSteps, runSequence, type SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { OpenExploration } from './open-exploration.js'
import type { FindWorker, Worker } from './worker.js'

export interface ReproductionContext {
  opened: OpenExploration
  countRetried(requests: number): void
  /** A worker on which no late effect of an earlier request can appear. */
  idleWorker: FindWorker
}

export class Reproduction {
  readonly signature: string
  /** The latest exchange that shows the difference, and the exchanges before it. */
  last: Exchange
  before: readonly Exchange[] = []
  readonly #observedBy: Worker
  readonly #context: ReproductionContext
  readonly #needsIdleWorker: boolean
  /** The completions of a confirmed difference are not late. */
  #isConfirmed = false

  constructor(worker: Worker, observed: Exchange, signature: string, context: ReproductionContext) {
    this.signature = signature
    this.last = observed
    this.#observedBy = worker
    this.#context = context
    // A list of updates may show late effects of earlier attempts.
    this.#needsIdleWorker = observed.step.operation === 'updates'
  }

  /** True if the last step differs as before. */
  async stillDiffers(steps: readonly Step[]): Promise<boolean> {
    // Otherwise the difference is an effect of other sequences.
    if (!steps.some(isJudged)) return false
    const worker = await this.#nextWorker()
    if (!worker) return false
    const { ended, exchanges } = await this.send(steps, worker)
    const differs = ended?.difference?.signature === this.signature
    if (!differs || exchanges.length !== steps.length) return false
    this.last = ended
    this.before = exchanges.slice(0, -1)
    this.#isConfirmed = true
    return true
  }

  /** True if no step differs. */
  async isGone(steps: readonly Step[]): Promise<boolean> {
    const worker = await this.#nextWorker()
    if (!worker) return false
    const { exchanges } = await this.send(steps, worker)
    return exchanges.every(({ difference }) => difference === undefined)
  }

  async send(steps: readonly Step[], worker = this.#observedBy): Promise<SequenceResult> {
    const pair = { ...worker.pair, isPatient: !this.#isConfirmed }
    const last = steps.at(-1)
    const result = await runSequence(
      pair,
      fixedSteps(steps),
      this.#context.opened.newRow(),
      ({ step }) => step !== last,
    )
    this.#context.countRetried(result.exchanges.length)
    if (containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#context.opened)
    return result
  }

  async #nextWorker(): Promise<Worker | undefined> {
    return this.#needsIdleWorker ? this.#context.idleWorker() : this.#observedBy
  }
}

export const containsVettingChange = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ step }) => step.operation === 'update-package-vetting')

/** Also after a part of a sequence. */
export async function restoreVetting({ pair }: Worker, { restoringSteps, newRow }: OpenExploration): Promise<void> {
  if (restoringSteps.length > 0) await runSequence(pair, fixedSteps(restoringSteps), newRow(), () => true)
}
