/** The findings and counts of an exploration. They decide which further differences are examined. */
import { outcomeOf, summarizeAnswer } from './compare/compare-answers.js'
import type { Exchange, SequenceResult } from './compare/run-sequence.js'
import type { Examined, FindingCore } from './examine.js'
import type { NonLinearizableHistory, Trial } from './histories/trial.js'
import { type Finding, type MetDivergence, signatureOf } from './judge/finding.js'
import { raceBetween } from './judge/races.js'
import type { Rulebook } from './judge/ruling.js'
import { countRequests, type ExplorationResult, emptyResult, type HistoryFinding } from './result.js'
import type { Step, StepResult } from './send/step.js'
import type { Worker } from './worker.js'

export type FoundEvent =
  | { kind: 'finding'; finding: Finding }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'history'; history: HistoryFinding }

export interface TallyOptions {
  rulebook: Rulebook
  formatFinding(
    finding: Omit<Finding, 'yaml' | 'curl'>,
    exchanges: readonly Exchange[],
    worker: Worker,
  ): Pick<Finding, 'yaml' | 'curl'>
  report(event: FoundEvent): void
}

/** Where a difference was observed. */
interface Observation {
  signature: string
  /** Of the sequence. */
  seed: string
  seenAfter: number
  /** Number of known divergences at the start of the sequence. */
  divergences: number
}

export class Tally {
  readonly result: ExplorationResult = emptyResult()
  readonly #options: TallyOptions
  readonly #startedAt = performance.now()
  readonly #findings = new Map<string, Finding>()
  /** Number of trials by name. */
  readonly #trials = new Map<string, number>()
  /** Server errors of the reference. */
  readonly #faults = new Set<string>()

  constructor(options: TallyOptions) {
    this.#options = options
  }

  /** Since the start of the exploration. */
  get seconds(): number {
    return Math.round(performance.now() - this.#startedAt) / 1000
  }

  get requests(): number {
    return countRequests(this.result)
  }

  get found(): number {
    return this.result.findings.length + this.result.histories.length
  }

  countAnswers({ exchanges }: SequenceResult): void {
    for (const { step, reference } of exchanges) {
      const name = answerName(step, reference)
      addTo(this.result.outcomes, name)
      if (outcomeOf(reference) === 'server-error') this.#faults.add(name)
    }
  }

  /** True if the reference shows an equal server error of the operation in other requests. */
  isKnownFault({ step, target }: Exchange): boolean {
    return this.#faults.has(answerName(step, target))
  }

  /** True if the sequence continues after a difference. Counts it. */
  isKnown(exchange: Exchange): boolean {
    const { step, difference } = exchange
    if (!difference) return true
    const race = raceBetween(exchange)
    if (race !== undefined) {
      addTo(this.result.permitted, race)
      return true
    }
    const signature = signatureOf(step, difference)
    const known = this.#findings.get(signature)
    const isPermitted = !known && this.#options.rulebook.judge(exchange, []) === 'permitted'
    if (known) known.times += 1
    else if (isPermitted) addTo(this.result.permitted, signature)
    return (known !== undefined || isPermitted) && difference.outcomes.reference === difference.outcomes.target
  }

  isExamined(signature: string): boolean {
    return this.#findings.has(signature) || this.result.permitted.has(signature)
  }

  countTrial(trial: Trial, violation: NonLinearizableHistory | undefined): void {
    const of = (this.#trials.get(trial.name) ?? 0) + 1
    this.#trials.set(trial.name, of)
    const { histories } = this.result
    const known = histories.find((one) => one.trial === trial.name)
    if (known) {
      known.of = of
      if (violation) known.times += 1
    } else if (violation) {
      const history: HistoryFinding = {
        ...violation,
        id: `H${histories.length + 1}`,
        times: 1,
        of,
        seenAfter: this.seconds,
        requestsBefore: this.requests,
      }
      histories.push(history)
      this.#options.report({ kind: 'history', history })
    }
  }

  countExamined(examined: Examined, observation: Observation): void {
    if (examined.kind === 'permitted') for (const name of examined.names) addTo(this.result.permitted, name)
    if (examined.kind === 'divergence') {
      this.result.divergences.push(examined.divergence)
      this.#options.report(examined)
    }
    if (examined.kind === 'restored') {
      const isKept = ({ points }: MetDivergence): boolean => !points.some((name) => examined.points.includes(name))
      this.result.divergences = this.result.divergences.filter(isKept)
    }
    // A new divergence may have removed the difference.
    if (examined.kind === 'unconfirmed' && observation.divergences === this.result.divergences.length)
      addTo(this.result.unconfirmed, observation.signature)
    if (examined.kind === 'finding') this.#addFinding(examined, observation)
  }

  #addFinding({ finding, exchanges, worker }: ExaminedFinding, { seed, seenAfter }: Observation): void {
    const core = {
      ...finding,
      id: `F${this.result.findings.length + 1}`,
      seed,
      times: 1,
      seenAfter,
      shrunkAfter: this.seconds,
      requestsBefore: this.requests,
    }
    const complete: Finding = { ...core, ...this.#options.formatFinding(core, exchanges, worker) }
    this.#findings.set(finding.signature, complete)
    this.result.findings.push(complete)
    this.#options.report({ kind: 'finding', finding: complete })
  }
}

interface ExaminedFinding {
  finding: FindingCore
  exchanges: readonly Exchange[]
  worker: Worker
}

const answerName = ({ operation }: Step, result: StepResult): string => `${operation} ${summarizeAnswer(result)}`

const addTo = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
