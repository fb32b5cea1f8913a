/** Sends random request sequences with several workers, and examines each difference. */

import type { RecordedOutage } from '../record/types/record.js'
import type { EarlyEnd } from '../runner/transport/early-end.js'
import { type Exchange, fixedSteps, type Gate, type SequenceResult, SequenceRun } from './compare/run-sequence.js'
import { type ExaminationContext, examine } from './examine.js'
import { drawFrom } from './generate/draw.js'
import { SequenceGenerator } from './generate/sequence-generator.js'
import { changesVetting } from './generate/workloads.js'
import { type MakeTrial, runTrial } from './histories/trial.js'
import { signatureOf } from './judge/finding.js'
import type { Outages } from './outages.js'
import { containsVettingChange, restoreVetting } from './reproduction.js'
import type { ExplorationResult } from './result.js'
import type { SideName } from './send/side.js'
import { SharedLock } from './shared-lock.js'
import { type FoundEvent, Tally, type TallyOptions } from './tally.js'
import { type OpenWorker, SpareWorkers, type Worker } from './worker.js'

export interface ExploreOptions
  extends Omit<ExaminationContext, 'newRow' | 'countRetried' | 'idleWorker' | 'outages' | 'isKnownFault'>,
    Pick<TallyOptions, 'formatFinding'> {
  outages: Outages
  workers: readonly OpenWorker[]
  /** Workers for attempts that must not meet effects of other requests. */
  spare: OpenWorker
  seed: string
  id: string
  /** The first limit ends the exploration. Budget: milliseconds. */
  budget?: number
  sequences?: number
  requests?: number
  maxFindings?: number
  /** Trials that run beside other sequences, or alone. */
  trials: { shared: readonly MakeTrial[]; exclusive: readonly MakeTrial[] }
  report(event: ExploreEvent): void
  end: EarlyEnd
}

export type ExploreEvent =
  | FoundEvent
  | { kind: 'sequence'; done: number; exchanges: number }
  /** Reported at the start and the end of an outage. */
  | { kind: 'outage'; side: SideName; outage: RecordedOutage }

/** The trials run after one in this number of sequences. */
const trialPeriod = 4
const usualMaxFindings = 50

/** Rejects with the first error, after all workers have ended. */
export async function explore(options: ExploreOptions): Promise<ExplorationResult> {
  return new Explorer(options).run()
}

class Explorer {
  readonly #options: ExploreOptions
  readonly #context: ExaminationContext
  readonly #tally: Tally
  readonly #vettingLock = new SharedLock()
  readonly #spare: SpareWorkers
  #startedSequences = 0
  #rows = 0
  #hasFailed = false

  constructor(options: ExploreOptions) {
    this.#options = options
    this.#tally = new Tally(options)
    this.#spare = new SpareWorkers(() => options.outages.undisturbed(options.spare))
    this.#context = {
      ...options,
      countRetried: (requests) => {
        this.#tally.result.retried += requests
      },
      newRow: () => this.#newRow(),
      idleWorker: () => this.#spare.idle(),
      isKnownFault: (exchange) => this.#tally.isKnownFault(exchange),
    }
  }

  async run(): Promise<ExplorationResult> {
    const ends: Promise<void>[] = []
    try {
      for (const open of this.#options.workers) {
        if (this.#isOver()) break
        const worker = await this.#open(open)
        if (!worker) continue
        const end = this.#work(worker, open)
        // A worker can fail while others open; `allSettled` reports it.
        end.catch(() => undefined)
        ends.push(end)
      }
    } catch (error) {
      this.#hasFailed = true
      ends.push(Promise.reject(error))
    }
    for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason
    this.#tally.result.seconds = this.#tally.seconds
    return this.#tally.result
  }

  /** Undefined if the exploration is over. */
  async #open(open: OpenWorker): Promise<Worker | undefined> {
    while (!this.#isOver()) {
      const worker = await this.#options.outages.undisturbed(open)
      if (worker) return worker
    }
    return undefined
  }

  async #work(first: Worker, open: OpenWorker): Promise<void> {
    const { outages } = this.#options
    let worker: Worker | undefined = first
    try {
      for (let before = outages.count; worker && !this.#isOver(); ) {
        if (outages.count !== before) {
          before = outages.count
          // A participant may lose its latest state in an outage.
          this.#spare.forget()
          worker = await this.#open(open)
          continue
        }
        const number = this.#startedSequences
        this.#startedSequences += 1
        await this.#runSequence(worker, number)
      }
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  #isOver(): boolean {
    const { budget = Infinity, sequences = Infinity, requests = Infinity, end } = this.#options
    const isSpent = this.#tally.seconds * 1000 >= budget || this.#startedSequences >= sequences
    const hasReachedLimit = isSpent || this.#isFull() || this.#tally.requests >= requests
    return hasReachedLimit || this.#hasFailed || end.decided !== undefined
  }

  #isFull(): boolean {
    return this.#tally.found >= (this.#options.maxFindings ?? usualMaxFindings)
  }

  #newRow(): string {
    this.#rows += 1
    return `${this.#options.id}${this.#rows}`
  }

  /** Vetting is shared, so a sequence that changes it runs alone. */
  async #runSequence(worker: Worker, number: number): Promise<void> {
    const { seed, report, trials, outages } = this.#options
    const before = outages.count
    const isExclusive = changesVetting(worker.settings, number)
    const share: Gate = (work) => this.#vettingLock.share(work)
    const exclusive: Gate = (work) => this.#vettingLock.exclusive(work)
    const name = `${seed}/${number}`
    const divergences = this.#tally.result.divergences.length
    const settings = isExclusive ? worker.settings : { ...worker.settings, canChangeVetting: false }
    const generator = new SequenceGenerator(name, settings)
    const run = new SequenceRun(worker.pair, this.#newRow(), (exchange) => this.#tally.isKnown(exchange))
    const generated = await (isExclusive
      ? exclusive(() => this.#runGenerated(worker, run, generator))
      : this.#runGenerated(worker, run, generator, share))
    // Vetting does not affect the final reads.
    const isOver = generated.ended !== undefined || generated.disruption !== undefined
    const result = isOver ? generated : await run.run(fixedSteps(generator.finalReads()), share)
    this.#tally.result.sequences += 1
    if (outages.count !== before || result.disruption !== undefined) {
      this.#tally.result.discarded += 1
      return
    }
    this.#tally.countAnswers(result)
    const { ended } = result
    if (ended)
      await exclusive(() => this.#unlessOutage(() => this.#examine({ worker, result, ended, seed: name, divergences })))
    if (number % trialPeriod === (isExclusive ? 0 : 2))
      for (const trial of isExclusive ? trials.exclusive : trials.shared)
        await (isExclusive ? exclusive : share)(() => this.#unlessOutage(() => this.#runTrial(worker, trial)))
    report({ kind: 'sequence', done: this.#tally.result.sequences, exchanges: this.#tally.result.exchanges })
  }

  async #runGenerated(
    worker: Worker,
    run: SequenceRun,
    generator: SequenceGenerator,
    gate?: Gate,
  ): Promise<SequenceResult> {
    let exclusiveRuns = 0
    const result = await run.run(
      {
        next: () => generator.next(),
        observe: (step, answer) => {
          this.#tally.result.exchanges += 1
          generator.observe(step, answer)
        },
        // Exclusive work may have changed vetting, with different serials.
        isOver: () => {
          if (!run.dependsOnVetting) exclusiveRuns = this.#vettingLock.exclusiveRuns
          return this.#vettingLock.exclusiveRuns !== exclusiveRuns
        },
      },
      gate,
    )
    const isPartial = result.ended !== undefined || result.disruption !== undefined
    if (isPartial && containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#context)
    return result
  }

  /** `work` returns the function that counts its result. After an outage the result does not count. */
  async #unlessOutage(work: () => Promise<() => void>): Promise<void> {
    const count = await this.#options.outages.undisturbed(work)
    if (count) count()
    else this.#tally.result.discarded += 1
  }

  async #runTrial({ pair }: Worker, make: MakeTrial): Promise<() => void> {
    const { seed, outages } = this.#options
    this.#tally.result.trials += 1
    const trial = make(drawFrom(`${seed}/round ${this.#tally.result.trials}`), this.#tally.result.trials)
    const { requests, violation } = await runTrial(trial, pair.target, pair.environments.target, this.#newRow())
    this.#tally.result.raced += requests
    if (violation) await outages.checkParticipants()
    return () => this.#tally.countTrial(trial, violation)
  }

  async #examine({ worker, result, ended, seed, divergences }: EndedSequence): Promise<() => void> {
    const { difference } = ended
    const signature = difference && signatureOf(ended.step, difference)
    if (!signature || this.#isFull() || this.#tally.isExamined(signature)) return () => undefined
    const observation = { signature, seed, seenAfter: this.#tally.seconds, divergences }
    const steps = result.exchanges.map(({ step }) => step).filter(({ restores }) => !restores)
    const examined = await examine({ worker, steps, exchange: ended, difference }, this.#context)
    await this.#options.outages.checkParticipants()
    return () => this.#tally.countExamined(examined, observation)
  }
}

interface EndedSequence {
  worker: Worker
  result: SequenceResult
  ended: Exchange
  seed: string
  /** Number of known divergences at its start. */
  divergences: number
}
