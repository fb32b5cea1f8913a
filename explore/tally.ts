/** The findings and counts of an exploration, redacted. They decide which further differences are examined. */
import type { Redaction } from '../lib/redaction/redaction.js'
import type {
  Exploration,
  Finding,
  FindingCore,
  HistoryFinding,
  MetDivergence,
  NonLinearizableHistory,
} from '../record/types/exploration.js'
import { cleanDivergence, cleanFinding, cleanHistory, cleanName } from './clean-found.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import type { Exchange, SequenceResult } from './compare/run-sequence.js'
import type { Examined } from './examine.js'
import { raceBetween } from './judge/races.js'
import type { Rulebook } from './judge/ruling.js'
import type { FoundEvent } from './options.js'

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
  readonly result: Exploration
  readonly #rulebook: Rulebook
  readonly #redaction: Redaction
  readonly #report: (event: FoundEvent) => void
  readonly #startedAt = performance.now()
  /** Number of trials by name. */
  readonly #trials = new Map<string, number>()

  constructor(
    { profile, seed }: { profile: string; seed: string },
    { rulebook, redaction }: { rulebook: Rulebook; redaction: Redaction },
    report: (event: FoundEvent) => void,
  ) {
    this.#rulebook = rulebook
    this.#redaction = redaction
    this.#report = report
    this.result = {
      profile,
      seed,
      seconds: 0,
      sequences: 0,
      discarded: 0,
      exchanges: 0,
      retried: 0,
      raced: 0,
      trials: 0,
      findings: [],
      histories: [],
      divergences: [],
      permitted: new Map(),
      unconfirmed: new Map(),
      outcomes: new Map(),
    }
  }

  /** Since the start of the exploration. */
  get seconds(): number {
    return Math.round(performance.now() - this.#startedAt) / 1000
  }

  get requests(): number {
    const { exchanges, retried, raced } = this.result
    return exchanges + retried + raced
  }

  get found(): number {
    return this.result.findings.length + this.result.histories.length
  }

  countAnswers({ exchanges }: SequenceResult): void {
    for (const { step, reference } of exchanges)
      this.#addTo(this.result.outcomes, `${step.operation} ${summarizeAnswer(reference)}`)
  }

  /** True if the sequence continues after a difference. Counts it. */
  isKnown(exchange: Exchange): boolean {
    const { difference } = exchange
    if (!difference) return true
    const race = raceBetween(exchange)
    if (race !== undefined) {
      this.#addTo(this.result.permitted, race)
      return true
    }
    const { signature, outcomes } = difference
    const known = this.#findingOf(signature)
    const isPermitted = !known && this.#rulebook.judge(exchange, []) === 'permitted'
    if (known) known.times += 1
    else if (isPermitted) this.#addTo(this.result.permitted, signature)
    return (known !== undefined || isPermitted) && outcomes.reference === outcomes.target
  }

  isExamined(signature: string): boolean {
    return this.#findingOf(signature) !== undefined || this.result.permitted.has(cleanName(signature, this.#redaction))
  }

  #findingOf(signature: string): Finding | undefined {
    const clean = cleanName(signature, this.#redaction)
    return this.result.findings.find((one) => one.signature === clean)
  }

  countTrial(trial: { name: string }, violation: NonLinearizableHistory | undefined): void {
    const of = (this.#trials.get(trial.name) ?? 0) + 1
    this.#trials.set(trial.name, of)
    const { histories } = this.result
    const known = histories.find((one) => one.trial === trial.name)
    if (known) {
      known.of = of
      if (violation) known.times += 1
    } else if (violation) {
      const history: HistoryFinding = {
        ...cleanHistory(violation, this.#redaction),
        id: `H${histories.length + 1}`,
        times: 1,
        of,
        seenAfter: this.seconds,
        requestsBefore: this.requests,
      }
      histories.push(history)
      this.#report({ kind: 'history', history })
    }
  }

  countExamined(examined: Examined, observation: Observation): void {
    if (examined.kind === 'permitted') this.#addTo(this.result.permitted, examined.name)
    if (examined.kind === 'divergence') {
      const divergence = cleanDivergence(examined.divergence, this.#redaction)
      this.result.divergences.push(divergence)
      this.#report({ kind: 'divergence', divergence })
    }
    if (examined.kind === 'restored') {
      const isKept = ({ points }: MetDivergence): boolean => !points.some((name) => examined.points.includes(name))
      this.result.divergences = this.result.divergences.filter(isKept)
    }
    // A new divergence may have removed the difference.
    if (examined.kind === 'unconfirmed' && observation.divergences === this.result.divergences.length)
      this.#addTo(this.result.unconfirmed, observation.signature)
    if (examined.kind === 'finding') this.#addFinding(examined.finding, observation)
  }

  #addFinding(core: FindingCore, { seed, seenAfter }: Observation): void {
    const finding: Finding = {
      ...cleanFinding(core, this.#redaction),
      id: `F${this.result.findings.length + 1}`,
      seed,
      times: 1,
      seenAfter,
      requestsBefore: this.requests,
    }
    this.result.findings.push(finding)
    this.#report({ kind: 'finding', finding })
  }

  #addTo(counts: Map<string, number>, name: string): void {
    const clean = cleanName(name, this.#redaction)
    counts.set(clean, (counts.get(clean) ?? 0) + 1)
  }
}
