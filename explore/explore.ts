/** Sends random request sequences with several workers, and examines each difference. */
import { randomBytes } from 'node:crypto'
import { redactError } from '../lib/redaction/redaction.js'
import type { Exploration } from '../record/types/exploration.js'
import { type Exchange, fixedSteps, type Gate, type SequenceResult, SequenceRun } from './compare/run-sequence.js'
import { examine } from './examine.js'
import { drawFrom } from './generate/draw.js'
import { SequenceGenerator } from './generate/sequence-generator.js'
import { changesVetting } from './generate/workloads.js'
import { type MakeTrial, runTrial } from './histories/trial.js'
import { type OpenExploration, openExploration, type Worker } from './open-exploration.js'
import type { ExplorationOptions } from './options.js'
import { containsVettingChange, restoreVetting } from './reproduction.js'
import { SharedLock } from './shared-lock.js'
import { Tally } from './tally.js'

/** The trials run after one in this number of sequences. */
const trialPeriod = 4
const usualMaxFindings = 50
const usualConcurrency = 16

/**
 * Rejects with `UsageError`, `JournalError` and `TargetError`.
 * Sends drawn sequences to target and reference, until the first limit. `report` receives each finding at once.
 * @example await explore({ ...options, seed: '7', requests: 600 })
 */
export async function explore(options: ExplorationOptions): Promise<Exploration> {
  const opened = await openExploration(options)
  try {
    return await new Explorer(options, opened).run()
  } catch (error) {
    throw redactError(error, opened.redaction)
  } finally {
    await opened.close()
  }
}

class Explorer {
  readonly #options: ExplorationOptions
  readonly #opened: OpenExploration
  readonly #seed: string
  readonly #tally: Tally
  readonly #vettingLock = new SharedLock()
  #startedSequences = 0
  #failure: { error: unknown } | undefined

  constructor(options: ExplorationOptions, opened: OpenExploration) {
    const { seed = randomBytes(6).toString('hex'), profile, report } = options
    this.#options = options
    this.#opened = opened
    this.#seed = seed
    this.#tally = new Tally({ profile: profile.name, seed }, opened, report)
  }

  /** Rejects with the first error, after all workers have ended. */
  async run(): Promise<Exploration> {
    const { concurrency = usualConcurrency } = this.#options
    const ends: Promise<void>[] = []
    await this.#keepFailure(async () => {
      while (ends.length < concurrency) {
        const worker = await this.#open()
        if (!worker) break
        ends.push(this.#keepFailure(() => this.#work(worker)))
      }
    })
    await Promise.all(ends)
    if (this.#failure) throw this.#failure.error
    this.#tally.result.seconds = this.#tally.seconds
    return this.#tally.result
  }

  async #keepFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** Undefined if the exploration is over. */
  async #open(): Promise<Worker | undefined> {
    while (!this.#isOver()) {
      const worker = await this.#opened.outages.undisturbed(this.#opened.openWorker)
      if (worker) return worker
    }
    return undefined
  }

  async #work(first: Worker): Promise<void> {
    const { outages } = this.#opened
    let worker: Worker | undefined = first
    while (worker && !this.#isOver()) {
      const before = outages.count
      await this.#runSequence(worker, this.#startedSequences++)
      // A participant may lose its latest state in an outage.
      if (outages.count !== before) worker = await this.#open()
    }
  }

  #isOver(): boolean {
    const { budget = Infinity, sequences = Infinity, requests = Infinity } = this.#options
    const isSpent = this.#tally.seconds * 1000 >= budget || this.#startedSequences >= sequences
    const hasReachedLimit = isSpent || this.#isFull() || this.#tally.requests >= requests
    return hasReachedLimit || this.#failure !== undefined || this.#opened.end.decided !== undefined
  }

  #isFull(): boolean {
    return this.#tally.found >= (this.#options.maxFindings ?? usualMaxFindings)
  }

  /** Vetting is shared, so a sequence that changes it runs alone. */
  async #runSequence(worker: Worker, number: number): Promise<void> {
    const { outages, newRow } = this.#opened
    const { result: counts } = this.#tally
    const before = outages.count
    const isAlone = changesVetting(worker.settings, number)
    const share: Gate = (work) => this.#vettingLock.share(work)
    const exclusive: Gate = (work) => this.#vettingLock.exclusive(work)
    const gate = isAlone ? exclusive : share
    const seed = `${this.#seed}/${number}`
    const divergences = counts.divergences.length
    const generator = new SequenceGenerator(seed, { ...worker.settings, canChangeVetting: isAlone })
    const run = new SequenceRun(worker.pair, newRow(), (exchange) => this.#tally.isKnown(exchange))
    const drawn = await gate(() => this.#runDrawn(worker, run, generator, isAlone))
    const isOver = drawn.ended !== undefined || drawn.disruption !== undefined
    // Others continue while the final reads wait for late effects.
    const result = isOver ? drawn : await run.run(fixedSteps(generator.finalReads()), share)
    counts.sequences += 1
    if (outages.count !== before || result.disruption !== undefined) {
      counts.discarded += 1
      return
    }
    this.#tally.countAnswers(result)
    const { ended } = result
    if (ended)
      await exclusive(() => this.#unlessOutage(() => this.#examine({ worker, result, ended, seed, divergences })))
    if (number % trialPeriod === (isAlone ? 0 : 2))
      for (const trial of isAlone ? this.#opened.trials.exclusive : this.#opened.trials.shared)
        await gate(() => this.#unlessOutage(() => this.#runTrial(worker, trial)))
    this.#options.report({ kind: 'sequence', done: counts.sequences, exchanges: counts.exchanges })
  }

  async #runDrawn(
    worker: Worker,
    run: SequenceRun,
    generator: SequenceGenerator,
    isAlone: boolean,
  ): Promise<SequenceResult> {
    const result = await run.run({
      next: () => generator.next(),
      observe: (step, answer) => {
        this.#tally.result.exchanges += 1
        generator.observe(step, answer)
      },
    })
    const isPartial = result.ended !== undefined || result.disruption !== undefined
    if (isAlone && isPartial && containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#opened)
    return result
  }

  /** `work` returns the function that counts its result. After an outage the result does not count. */
  async #unlessOutage(work: () => Promise<() => void>): Promise<void> {
    const count = await this.#opened.outages.undisturbed(work)
    if (count) count()
    else this.#tally.result.discarded += 1
  }

  async #runTrial({ pair }: Worker, make: MakeTrial): Promise<() => void> {
    const { newRow, outages } = this.#opened
    const counts = this.#tally.result
    counts.trials += 1
    const trial = make(drawFrom(`${this.#seed}/round ${counts.trials}`), counts.trials)
    const { requests, violation } = await runTrial(trial, pair.target, pair.environments.target, newRow())
    counts.raced += requests
    if (violation) await outages.checkParticipants()
    return () => this.#tally.countTrial(trial, violation)
  }

  async #examine({ worker, result, ended, seed, divergences }: EndedSequence): Promise<() => void> {
    const { difference } = ended
    if (!difference || this.#isFull() || this.#tally.isExamined(difference.signature)) return () => undefined
    const observation = { signature: difference.signature, seed, seenAfter: this.#tally.seconds, divergences }
    const steps = result.exchanges.map(({ step }) => step).filter(({ restores }) => !restores)
    const examined = await examine({ worker, steps, exchange: ended, difference }, this.#opened, (requests) => {
      this.#tally.result.retried += requests
    })
    await this.#opened.outages.checkParticipants()
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
