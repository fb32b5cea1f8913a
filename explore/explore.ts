/** Sends random request sequences with several workers, and examines each difference. */

import type { RecordedOutage } from '../record/types/record.js'
import type { EarlyEnd } from '../runner/transport/early-end.js'
import { outcomeOf, summarizeAnswer } from './compare/compare-answers.js'
import { type Exchange, fixedSteps, type Gate, type SequenceResult, SequenceRun } from './compare/run-sequence.js'
import { type ExaminationContext, type Examined, examine, type FindingCore } from './examine.js'
import { drawFrom } from './generate/draw.js'
import { SequenceGenerator } from './generate/sequence-generator.js'
import { changesVetting } from './generate/workloads.js'
import { type MakeTrial, type NonLinearizableHistory, runTrial, type Trial } from './histories/trial.js'
import { type Finding, type MetDivergence, signatureOf } from './judge/finding.js'
import { raceBetween } from './judge/races.js'
import type { Outages } from './outages.js'
import { containsVettingChange, restoreVetting } from './reproduction.js'
import { addTo, countRequests, type ExplorationResult, emptyResult, type HistoryFinding } from './result.js'
import type { SideName } from './send/side.js'
import type { Step, StepResult } from './send/step.js'
import { SharedLock } from './shared-lock.js'
import { type OpenWorker, SpareWorkers, type Worker } from './worker.js'

export interface ExploreOptions
  extends Omit<ExaminationContext, 'newRow' | 'countRetried' | 'idleWorker' | 'outages' | 'isKnownFault'> {
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
  formatFinding(
    finding: Omit<Finding, 'yaml' | 'curl'>,
    exchanges: readonly Exchange[],
    worker: Worker,
  ): Pick<Finding, 'yaml' | 'curl'>
  /** Trials that run beside other sequences, or alone. */
  trials: { shared: readonly MakeTrial[]; exclusive: readonly MakeTrial[] }
  report(event: ExploreEvent): void
  end: EarlyEnd
}

export type ExploreEvent =
  | { kind: 'sequence'; done: number; exchanges: number }
  | { kind: 'finding'; finding: Finding }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'history'; history: HistoryFinding }
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
  readonly #startedAt = performance.now()
  readonly #findings = new Map<string, Finding>()
  readonly #result = emptyResult()
  readonly #vettingLock = new SharedLock()
  readonly #spare: SpareWorkers
  readonly #trials = new Map<string, number>()
  /** Server errors of the reference. */
  readonly #faults = new Set<string>()
  #startedSequences = 0
  #rows = 0
  #hasFailed = false

  constructor(options: ExploreOptions) {
    this.#options = options
    const countRetried = (requests: number): void => {
      this.#result.retried += requests
    }
    this.#spare = new SpareWorkers(() => options.outages.undisturbed(options.spare))
    const idleWorker = () => this.#spare.idle()
    const isKnownFault = ({ step, target }: Exchange): boolean => this.#faults.has(answerName(step, target))
    this.#context = { ...options, countRetried, newRow: () => this.#newRow(), idleWorker, isKnownFault }
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
    this.#result.seconds = this.#seconds()
    this.#result.findings = [...this.#findings.values()]
    return this.#result
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
    const isSpent = performance.now() - this.#startedAt >= budget || this.#startedSequences >= sequences
    const hasReachedLimit = isSpent || this.#isFull() || countRequests(this.#result) >= requests
    return hasReachedLimit || this.#hasFailed || end.decided !== undefined
  }

  #isFull(): boolean {
    return this.#findings.size + this.#result.histories.length >= (this.#options.maxFindings ?? usualMaxFindings)
  }

  #newRow(): string {
    this.#rows += 1
    return `${this.#options.id}${this.#rows}`
  }

  #seconds(): number {
    return Math.round(performance.now() - this.#startedAt) / 1000
  }

  /** Vetting is shared, so a sequence that changes it runs alone. */
  async #runSequence(worker: Worker, number: number): Promise<void> {
    const { seed, report, trials, outages } = this.#options
    const before = outages.count
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
    const isOver = generated.ended !== undefined || generated.disruption !== undefined
    const result = isOver ? generated : await run.run(fixedSteps(generator.finalReads()), share)
    this.#result.sequences += 1
    if (outages.count !== before || result.disruption !== undefined) {
      this.#result.discarded += 1
      return
    }
    for (const { step, reference } of result.exchanges) {
      addTo(this.#result.outcomes, answerName(step, reference))
      if (outcomeOf(reference) === 'server-error') this.#faults.add(answerName(step, reference))
    }
    const { ended } = result
    if (ended)
      await exclusive(() => this.#unlessOutage(() => this.#examine({ worker, result, ended, seed: name, divergences })))
    if (number % trialPeriod === (isExclusive ? 0 : 2))
      for (const trial of isExclusive ? trials.exclusive : trials.shared)
        await (isExclusive ? exclusive : share)(() => this.#unlessOutage(() => this.#runTrial(worker, trial)))
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
    else this.#result.discarded += 1
  }

  async #runTrial({ pair }: Worker, make: MakeTrial): Promise<() => void> {
    const { seed, outages } = this.#options
    this.#result.trials += 1
    const trial = make(drawFrom(`${seed}/round ${this.#result.trials}`), this.#result.trials)
    const { requests, violation } = await runTrial(trial, pair.target, pair.environments.target, this.#newRow())
    this.#result.raced += requests
    if (violation) await outages.checkParticipants()
    return () => this.#countTrial(trial, violation)
  }

  #countTrial(trial: Pick<Trial, 'name'>, violation: NonLinearizableHistory | undefined): void {
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
      this.#options.report({ kind: 'history', history })
    }
  }

  #isKnown(exchange: Exchange): boolean {
    const { step, difference } = exchange
    if (!difference) return true
    const race = raceBetween(exchange)
    if (race !== undefined) {
      addTo(this.#result.permitted, race)
      return true
    }
    const signature = signatureOf(step, difference)
    const known = this.#findings.get(signature)
    const isPermitted = !known && this.#options.rulebook.judge(exchange, []) === 'permitted'
    if (known) known.times += 1
    else if (isPermitted) addTo(this.#result.permitted, signature)
    return (known !== undefined || isPermitted) && difference.outcomes.reference === difference.outcomes.target
  }

  async #examine({ worker, result, ended, seed, divergences }: EndedSequence): Promise<() => void> {
    const { difference } = ended
    const signature = difference && signatureOf(ended.step, difference)
    if (!signature || this.#isFull() || this.#findings.has(signature) || this.#result.permitted.has(signature))
      return () => undefined
    const seenAfter = this.#seconds()
    const steps = result.exchanges.map(({ step }) => step).filter(({ restores }) => !restores)
    const examined = await examine({ worker, steps, exchange: ended, difference }, this.#context)
    await this.#options.outages.checkParticipants()
    return () => {
      this.#count(examined, signature, divergences)
      if (examined.kind === 'finding') this.#addFinding(examined, { seed, seenAfter })
    }
  }

  #count(examined: Examined, signature: string, divergences: number): void {
    if (examined.kind === 'permitted') for (const name of examined.names) addTo(this.#result.permitted, name)
    if (examined.kind === 'divergence') {
      this.#result.divergences.push(examined.divergence)
      this.#options.report(examined)
    }
    if (examined.kind === 'restored') {
      const isKept = ({ points }: MetDivergence): boolean => !points.some((name) => examined.points.includes(name))
      this.#result.divergences = this.#result.divergences.filter(isKept)
    }
    // A new divergence may have removed the difference.
    if (examined.kind === 'unconfirmed' && divergences === this.#result.divergences.length)
      addTo(this.#result.unconfirmed, signature)
  }

  #addFinding(
    { finding, exchanges, worker }: { finding: FindingCore; exchanges: readonly Exchange[]; worker: Worker },
    { seed, seenAfter }: { seed: string; seenAfter: number },
  ): void {
    const core = {
      ...finding,
      id: `F${this.#findings.size + 1}`,
      seed,
      times: 1,
      seenAfter,
      shrunkAfter: this.#seconds(),
      requestsBefore: countRequests(this.#result),
    }
    const complete: Finding = { ...core, ...this.#options.formatFinding(core, exchanges, worker) }
    this.#findings.set(finding.signature, complete)
    this.#options.report({ kind: 'finding', finding: complete })
  }
}

const answerName = ({ operation }: Step, result: StepResult): string => `${operation} ${summarizeAnswer(result)}`

interface EndedSequence {
  worker: Worker
  result: SequenceResult
  ended: Exchange
  seed: string
  /** Number of known divergences at its start. */
  divergences: number
}
