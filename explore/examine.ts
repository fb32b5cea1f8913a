/** Examines a difference: confirms it, minimizes its sequence, and judges it. */
import { type JsonValue, parseJson, printJson } from '../lib/json/json.js'
import type { Redaction } from '../lib/redaction/redaction.js'
import { type Difference, summarizeAnswer } from './compare/compare-answers.js'
import { type Exchange, fixedSteps, runSequence, type SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { Adaptation } from './judge/adapt.js'
import { type Finding, type MetDivergence, type ShownAnswer, signatureOf } from './judge/finding.js'
import type { Rulebook } from './judge/ruling.js'
import { minimize, readDelays, withLaterRead } from './minimize/minimize.js'
import type { Step } from './send/step.js'
import type { Worker } from './worker.js'

/** The steps of a sequence up to its difference. */
export interface ObservedDifference {
  worker: Worker
  steps: readonly Step[]
  exchange: Exchange
  difference: Difference
}

export type Examined =
  | { kind: 'unconfirmed' }
  | { kind: 'permitted'; names: readonly string[] }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'finding'; finding: FindingCore; exchanges: readonly Exchange[]; worker: Worker }

/** The part of a finding that its examination determines. */
export type FindingCore = Pick<
  Finding,
  'signature' | 'ruling' | 'difference' | 'steps' | 'answers' | 'shrunkFrom' | 'attempts'
>

export interface ExaminationContext {
  rulebook: Rulebook
  /** Absent if the reference has no switches. */
  adaptation?: Adaptation
  redaction: Redaction
  /** Steps that restore vetting; none if vetting cannot change. */
  restoringSteps(): Step[]
  countRetried(requests: number): void
  /** A worker on which no late effect of an earlier request can appear. */
  idleWorker(): Promise<Worker>
  /** A new value of `${row}`, unique to one sequence. */
  newRow(): string
}

const confirmationAttempts = 3
/** Limits of one minimization, in attempts and milliseconds. */
const mostAttempts = 250
const longestMinimization = 30_000
/** Characters of a shown body. */
const longestShown = 20_000

/** Call it only while no other sequence runs: vetting is shared. */
export async function examine(observed: ObservedDifference, context: ExaminationContext): Promise<Examined> {
  return new Examination(observed, context).examine()
}

export async function restoreVetting(
  { pair }: Worker,
  { restoringSteps, newRow }: Pick<ExaminationContext, 'restoringSteps' | 'newRow'>,
): Promise<void> {
  const steps = restoringSteps()
  if (steps.length > 0) await runSequence(pair, fixedSteps(steps), newRow(), () => true)
}

export const containsVettingChange = (exchanges: readonly Pick<Exchange, 'step'>[]): boolean =>
  exchanges.some(({ step }) => step.operation === 'update-package-vetting')

class Examination {
  readonly #observed: ObservedDifference
  readonly #context: ExaminationContext
  readonly #signature: string
  /** The latest attempt that showed the difference: last exchange, earlier exchanges, worker. */
  #last: Exchange
  #before: readonly Exchange[] = []
  #worker: Worker

  constructor(observed: ObservedDifference, context: ExaminationContext) {
    this.#observed = observed
    this.#context = context
    this.#last = observed.exchange
    this.#worker = observed.worker
    this.#signature = signatureOf(observed.exchange.step, observed.difference)
  }

  async examine(): Promise<Examined> {
    const { worker, steps, difference } = this.#observed
    await restoreVetting(worker, this.#context)
    const confirmed = await this.#confirm(steps)
    if (!confirmed) return { kind: 'unconfirmed' }
    const limits = { attempts: mostAttempts, until: performance.now() + longestMinimization }
    const minimized = await minimize(confirmed, (some) => this.#stillDiffers(some), limits)
    // Switches of the reference change answers, not late effects.
    const adapted = minimized.isLate ? undefined : await this.#adapt(minimized.steps)
    if (adapted) return adapted
    const last = this.#last
    const ruling = this.#context.rulebook.judge(last, this.#before)
    if (ruling === 'permitted') return { kind: 'permitted', names: [this.#signature] }
    const exchanges = [...this.#before, last]
    return {
      kind: 'finding',
      finding: {
        ...{ signature: this.#signature, ruling, steps: minimized.steps },
        difference: this.#redact(last.difference ?? difference),
        answers: { reference: this.#shown(last.reference), target: this.#shown(last.target) },
        ...{ shrunkFrom: steps.length, attempts: minimized.attempts },
      },
      exchanges: exchanges.map((one, index) => ({ ...one, step: minimized.steps[index] ?? one.step })),
      worker: this.#worker,
    }
  }

  /** Returns the steps that showed the difference again, perhaps with a delay. */
  async #confirm(steps: readonly Step[]): Promise<readonly Step[] | undefined> {
    const delayed = readDelays.flatMap((milliseconds) => {
      const waiting = withLaterRead(steps, milliseconds)
      return waiting ? [waiting] : []
    })
    const candidates =
      delayed.length > 0 ? [steps, ...delayed] : Array.from({ length: confirmationAttempts }, () => steps)
    for (const candidate of candidates) if (await this.#stillDiffers(candidate)) return candidate
    return undefined
  }

  async #stillDiffers(candidate: readonly Step[]): Promise<boolean> {
    // Without a request under test, a difference is an effect of other sequences.
    if (!candidate.some(isJudged)) return false
    const worker = await this.#workerForAttempt()
    const { ended, exchanges } = await this.#attempt(candidate, worker)
    const isSame = ended?.difference !== undefined && signatureOf(ended.step, ended.difference) === this.#signature
    if (!isSame || exchanges.length !== candidate.length) return false
    this.#last = ended
    this.#before = exchanges.slice(0, -1)
    this.#worker = worker
    return true
  }

  /** A list of updates may show late effects of an earlier attempt. */
  async #workerForAttempt(): Promise<Worker> {
    const { exchange, worker } = this.#observed
    return exchange.step.operation === 'updates' ? this.#context.idleWorker() : worker
  }

  async #attempt(steps: readonly Step[], worker: Worker): Promise<SequenceResult> {
    const source = fixedSteps(steps.filter(({ restores }) => !restores))
    const result = await runSequence(worker.pair, source, this.#context.newRow(), ({ step }) => step !== steps.at(-1))
    this.#context.countRetried(result.exchanges.length)
    if (containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#context)
    return result
  }

  /** Adapts the reference to the target, if its switches remove the difference. */
  async #adapt(steps: readonly Step[]): Promise<Examined | undefined> {
    const { step, reference, target } = this.#last
    const points = await this.#context.adaptation?.adapt(async () => {
      const { exchanges } = await this.#attempt(steps, await this.#workerForAttempt())
      return exchanges.every(({ difference }) => difference === undefined)
    })
    if (!points || points.length === 0) return undefined
    const ids = points.flatMap(({ divergences }) => divergences)
    const names = points.map(({ name }) => name)
    if (ids.length === 0) return { kind: 'permitted', names }
    const answers = { reference: summarizeAnswer(reference), target: summarizeAnswer(target) }
    return { kind: 'divergence', divergence: { ids, points: names, operation: step.operation, ...answers } }
  }

  #redact(difference: Difference): Difference {
    const redacted = (value: JsonValue): JsonValue => parseJson(this.#context.redaction.clean(printJson(value)))
    return { ...difference, reference: redacted(difference.reference), target: redacted(difference.target) }
  }

  #shown(result: Exchange['reference']): ShownAnswer {
    const { answer, evidence, unsent = '' } = result
    const text = this.#context.redaction.clean(answer?.text ?? evidence?.problem?.message ?? unsent)
    const body = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
    return { said: summarizeAnswer(result), body }
  }
}
