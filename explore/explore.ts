/** Sends random request sequences to target and reference with several workers, and examines each difference. */
import { type Exchange, fixedSteps, type Gate, type SequenceResult, SequenceRun } from './compare/run-sequence.js'
import {
  containsVettingChange,
  type ExaminationContext,
  type Examined,
  examine,
  type FindingCore,
  restoreVetting,
} from './examine.js'
import { randomOf } from './generate/random.js'
import { SequenceGenerator } from './generate/sequence-generator.js'
import { changesVetting } from './generate/workloads.js'
import { runTrial } from './histories/run-trial.js'
import type { MakeTrial } from './histories/trial.js'
import { type Finding, type MetDivergence, signatureOf } from './judge/finding.js'
import { addTo, Coverage, countRequests, type ExplorationResult, emptyResult, type HistoryFinding } from './result.js'
import { SharedLock } from './shared-lock.js'
import { type OpenWorker, SpareWorkers, type Worker } from './worker.js'

export interface ExploreOptions extends Omit<ExaminationContext, 'newRow' | 'countRetried' | 'idleWorker'> {
  /** All run at once. Each starts as soon as it is open. */
  workers: readonly OpenWorker[]
  /** Opens workers for attempts that must not meet effects of other requests. */
  spare: OpenWorker
  seed: string
  /** Unique to this exploration, and part of all names that its sequences create. */
  id: string
  /** The first limit that is reached ends the exploration. The budget is in milliseconds. */
  budget?: number
  sequences?: number
  requests?: number
  maxFindings?: number
  /** Writes a finding as a case and a script. The last exchange shows the difference. */
  formatFinding(
    finding: Omit<Finding, 'yaml' | 'curl'>,
    exchanges: readonly Exchange[],
    worker: Worker,
  ): Pick<Finding, 'yaml' | 'curl'>
  /** Concurrency trials between sequences: beside other sequences, or exclusive. */
  trials: { shared: readonly MakeTrial[]; exclusive: readonly MakeTrial[] }
  report(event: ExploreEvent): void
  shouldEnd?(): boolean
}

export type ExploreEvent =
  | { kind: 'sequence'; done: number; exchanges: number }
  | { kind: 'finding'; finding: Finding }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'unconfirmed'; signature: string }
  | { kind: 'history'; history: HistoryFinding }

/** Trials run after one of so many sequences. */
const trialPeriod = 4
const usualMaxFindings = 50

/** Rejects with the first error of a worker, after all workers have ended. */
export async function explore(options: ExploreOptions): Promise<ExplorationResult> {
  return new Explorer(options).run()
}

class Explorer {
  readonly #options: ExploreOptions
  readonly #context: ExaminationContext
  readonly #startedAt = performance.now()
  readonly #findings = new Map<string, Finding>()
  readonly #result = emptyResult()
  readonly #coverage = new Coverage(this.#result)
  readonly #vettingLock = new SharedLock()
  /** Trials by name. */
  readonly #trials = new Map<string, number>()
  #startedSequences = 0
  #rows = 0
  #hasFailed = false

  constructor(options: ExploreOptions) {
    this.#options = options
    const countRetried = (requests: number): void => {
      this.#result.retried += requests
    }
    const spare = new SpareWorkers(options.spare)
    this.#context = { ...options, countRetried, newRow: () => this.#newRow(), idleWorker: () => spare.idle() }
  }

  async run(): Promise<ExplorationResult> {
    const ends: Promise<void>[] = []
    try {
      for (const open of this.#options.workers) {
        if (this.#isOver()) break
        const worker = await open()
        ends.push(this.#work(worker))
      }
    } catch (error) {
      this.#hasFailed = true
      ends.push(Promise.reject(error))
    }
    for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason
    this.#result.seconds = this.#seconds()
    this.#result.findings = [...this.#findings.values()]
    return this.#result
  }

  async #work(worker: Worker): Promise<void> {
    try {
      while (!this.#isOver()) {
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
    const { budget = Infinity, sequences = Infinity, requests = Infinity, shouldEnd } = this.#options
    const isSpent = performance.now() - this.#startedAt >= budget || this.#startedSequences >= sequences
    const hasReachedLimit = isSpent || this.#isFull() || countRequests(this.#result) >= requests
    return hasReachedLimit || this.#hasFailed || shouldEnd?.() === true
  }

  #isFull(): boolean {
    return this.#findings.size + this.#result.histories.length >= (this.#options.maxFindings ?? usualMaxFindings)
  }

  #newRow(): string {
    this.#rows += 1
    return `${this.#options.id}${this.#rows}`
  }

  /** Seconds since the start, with milliseconds. */
  #seconds(): number {
    return Math.round(performance.now() - this.#startedAt) / 1000
  }

  /** Vetting is shared by all workers, so a sequence that changes it runs alone. */
  async #runSequence(worker: Worker, number: number): Promise<void> {
    const { seed, report, trials } = this.#options
    const isExclusive = changesVetting(worker.settings, number)
    const share: Gate = (work) => this.#vettingLock.share(work)
    const exclusive: Gate = (work) => this.#vettingLock.exclusive(work)
    const name = `${seed}/${number}`
    const divergences = this.#result.divergences.length
    const settings = isExclusive ? worker.settings : { ...worker.settings, canChangeVetting: false }
    const generator = new SequenceGenerator(name, settings)
    const run = new SequenceRun(worker.pair, this.#newRow(), (exchange) => this.#isKnown(exchange))
    const generated = await (isExclusive
      ? exclusive(() => this.#runGenerated(worker, run, generator))
      : this.#runGenerated(worker, run, generator, share))
    // Vetting does not affect the final reads.
    const result = generated.ended ? generated : await run.run(fixedSteps(generator.finalReads()), share)
    this.#result.sequences += 1
    this.#coverage.count(result)
    const { ended } = result
    if (ended) await exclusive(() => this.#examine({ worker, result, ended, seed: name, divergences }))
    if (number % trialPeriod === (isExclusive ? 0 : 2))
      for (const trial of isExclusive ? trials.exclusive : trials.shared)
        await (isExclusive ? exclusive : share)(() => this.#runTrial(worker, trial))
    report({ kind: 'sequence', done: this.#result.sequences, exchanges: this.#result.exchanges })
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
          this.#result.exchanges += 1
          generator.observe(step, answer)
        },
        // Exclusive work may have changed vetting, with different serials on both sides.
        isOver: () => {
          if (!run.dependsOnVetting) exclusiveRuns = this.#vettingLock.exclusiveRuns
          return this.#vettingLock.exclusiveRuns !== exclusiveRuns
        },
      },
      gate,
    )
    if (result.ended && containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#context)
    return result
  }

  async #runTrial({ pair }: Worker, make: MakeTrial): Promise<void> {
    const { seed, report } = this.#options
    this.#result.trials += 1
    const trial = make(randomOf(`${seed}/round ${this.#result.trials}`), this.#result.trials)
    const { requests, violation } = await runTrial(trial, pair.target, pair.environments.target, this.#newRow())
    this.#result.raced += requests
    const count = (this.#trials.get(trial.name) ?? 0) + 1
    this.#trials.set(trial.name, count)
    const { histories } = this.#result
    const known = histories.find((one) => one.trial === trial.name)
    if (known) {
      known.of += 1
      if (violation) known.times += 1
    } else if (violation) {
      const id = `H${histories.length + 1}`
      const requestsBefore = countRequests(this.#result)
      const history = { ...violation, id, times: 1, of: count, seenAfter: this.#seconds(), requestsBefore }
      histories.push(history)
      report({ kind: 'history', history })
    }
  }

  /** Counts a known difference. The sequence continues after it if both outcomes are equal. */
  #isKnown(exchange: Exchange): boolean {
    const { step, difference } = exchange
    if (!difference) return true
    const signature = signatureOf(step, difference)
    const known = this.#findings.get(signature)
    const isPermitted = !known && this.#options.rulebook.judge(exchange, []) === 'permitted'
    if (known) known.times += 1
    else if (isPermitted) addTo(this.#result.permitted, signature)
    return (known !== undefined || isPermitted) && difference.outcomes.reference === difference.outcomes.target
  }

  async #examine({ worker, result, ended, seed, divergences }: EndedSequence): Promise<void> {
    const { difference } = ended
    if (!difference || this.#isFull()) return
    const signature = signatureOf(ended.step, difference)
    if (this.#findings.has(signature) || this.#result.permitted.has(signature)) return
    const seenAfter = this.#seconds()
    const steps = result.exchanges.map(({ step }) => step)
    const examined = await examine({ worker, steps, exchange: ended, difference }, this.#context)
    this.#count(examined, signature, divergences)
    if (examined.kind === 'finding') this.#addFinding(examined, { seed, seenAfter })
  }

  #count(examined: Examined, signature: string, divergences: number): void {
    const { report } = this.#options
    if (examined.kind === 'permitted') for (const name of examined.names) addTo(this.#result.permitted, name)
    if (examined.kind === 'divergence') {
      this.#result.divergences.push(examined.divergence)
      report(examined)
    }
    // A new divergence has adapted the reference, which may explain that the difference is gone.
    if (examined.kind === 'unconfirmed' && divergences === this.#result.divergences.length) {
      addTo(this.#result.unconfirmed, signature)
      report({ kind: 'unconfirmed', signature })
    }
  }

  #addFinding(
    { finding, exchanges, worker }: { finding: FindingCore; exchanges: readonly Exchange[]; worker: Worker },
    { seed, seenAfter }: { seed: string; seenAfter: number },
  ): void {
    const core = {
      ...finding,
      ...{ id: `F${this.#findings.size + 1}`, seed, times: 1, seenAfter },
      ...{ minimizedAfter: this.#seconds(), requestsBefore: countRequests(this.#result) },
    }
    const complete: Finding = { ...core, ...this.#options.formatFinding(core, exchanges, worker) }
    this.#findings.set(finding.signature, complete)
    this.#options.report({ kind: 'finding', finding: complete })
  }
}

/** A sequence that ended with a difference. */
interface EndedSequence {
  worker: Worker
  result: SequenceResult
  ended: Exchange
  seed: string
  /** Number of known divergences at its start. */
  divergences: number
}
