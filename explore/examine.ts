/** Confirms, minimizes and judges a difference. */
import { type JsonValue, parseJson, printJson } from '../lib/json/json.js'
import type { Redaction } from '../lib/redaction/redaction.js'
import { type Difference, summarizeAnswer } from './compare/compare-answers.js'
import { type Exchange, fixedSteps, runSequence, type SequenceResult } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { Adaptation } from './judge/adapt.js'
import { type Finding, type MetDivergence, type ShownAnswer, signatureOf } from './judge/finding.js'
import { severalFaults } from './judge/races.js'
import type { Rulebook } from './judge/ruling.js'
import { minimize, readDelays, withLaterRead } from './minimize/minimize.js'
import type { Outages } from './outages.js'
import { bodyMembers, type Step } from './send/step.js'
import type { FindWorker, Worker } from './worker.js'

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
  /** Names of switch points of divergences that the target does not show after all. */
  | { kind: 'restored'; points: readonly string[] }
  | { kind: 'finding'; finding: FindingCore; exchanges: readonly Exchange[]; worker: Worker }

export type FindingCore = Pick<
  Finding,
  'signature' | 'ruling' | 'difference' | 'steps' | 'answers' | 'shrunkFrom' | 'attempts'
>

export interface ExaminationContext {
  rulebook: Rulebook
  /** Absent if the reference has no switches. */
  adaptation?: Adaptation
  redaction: Redaction
  restoringSteps(): Step[]
  countRetried(requests: number): void
  /** True if the reference shows an equal server error of the operation in other requests. */
  isKnownFault(exchange: Exchange): boolean
  /** A worker on which no late effect of an earlier request can appear. */
  idleWorker: FindWorker
  outages: Pick<Outages, 'count'>
  newRow(): string
}

const confirmationAttempts = 3
/** In attempts and milliseconds. */
const mostAttempts = 250
const longestMinimization = 30_000
/** Characters. */
const longestShown = 20_000

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
  #last: Exchange
  #before: readonly Exchange[] = []
  #worker: Worker
  /** The completions of a confirmed difference are not late. */
  #isConfirmed = false

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
    // Without an operation under test, only a known difference counts.
    if (!steps.some(isJudged)) return (await this.#adapt(steps)) ?? { kind: 'unconfirmed' }
    const confirmed = await this.#confirm(steps)
    if (!confirmed) return { kind: 'unconfirmed' }
    this.#isConfirmed = true
    const limits = { attempts: mostAttempts, until: performance.now() + longestMinimization }
    const minimized = await minimize(confirmed, (some) => this.#stillDiffers(some), limits)
    // Switches change answers, not late effects.
    const adapted = minimized.isLate ? undefined : await this.#adapt(minimized.steps)
    if (adapted) return adapted
    const last = this.#last
    const exchanges = [...this.#before, last]
    if (await this.#isFaultOfOtherCommand(minimized.steps, last)) return { kind: 'permitted', names: [severalFaults] }
    const judged = this.#context.rulebook.judge(last, exchanges.slice(0, -1))
    if (judged === 'permitted') return { kind: 'permitted', names: [this.#signature] }
    const isNewFault =
      this.#context.adaptation !== undefined &&
      last.difference?.outcomes.target === 'server-error' &&
      !this.#context.isKnownFault(last)
    const ruling = isNewFault
      ? { ...judged, because: `new fault: ${judged.because} that no divergence explains` }
      : judged
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
    // Otherwise the difference is an effect of other sequences.
    if (!candidate.some(isJudged)) return false
    const worker = await this.#workerForAttempt()
    if (!worker) return false
    const { ended, exchanges } = await this.#attempt(candidate, worker)
    const isSame = ended?.difference !== undefined && signatureOf(ended.step, ended.difference) === this.#signature
    if (!isSame || exchanges.length !== candidate.length) return false
    this.#last = ended
    this.#before = exchanges.slice(0, -1)
    this.#worker = worker
    return true
  }

  /** A list of updates may show late effects of earlier attempts. */
  async #workerForAttempt(): Promise<Worker | undefined> {
    const { exchange, worker } = this.#observed
    return exchange.step.operation === 'updates' ? this.#context.idleWorker() : worker
  }

  async #attempt(steps: readonly Step[], worker: Worker): Promise<SequenceResult> {
    const source = fixedSteps(steps.filter(({ restores }) => !restores))
    const pair = { ...worker.pair, isPatient: !this.#isConfirmed }
    const result = await runSequence(pair, source, this.#context.newRow(), ({ step }) => step !== steps.at(-1))
    this.#context.countRetried(result.exchanges.length)
    if (containsVettingChange(result.exchanges)) await restoreVetting(worker, this.#context)
    return result
  }

  async #adapt(steps: readonly Step[]): Promise<Examined | undefined> {
    const { step, reference, target } = this.#last
    const outages = this.#context.outages.count
    const isUndisturbed = (): boolean => this.#context.outages.count === outages
    const adapted = await this.#context.adaptation?.adapt(async () => {
      const worker = await this.#workerForAttempt()
      if (!worker) return false
      const { exchanges } = await this.#attempt(steps, worker)
      return exchanges.every(({ difference }) => difference === undefined)
    }, isUndisturbed)
    if (!adapted) return undefined
    const { points, effect } = adapted
    if (effect === 'restored') return { kind: 'restored', points: points.map(({ name }) => name) }
    if (effect === 'masked') return { kind: 'permitted', names: [this.#signature] }
    const ids = points.flatMap(({ divergences }) => divergences)
    const names = points.map(({ name }) => name)
    const answers = { reference: summarizeAnswer(reference), target: summarizeAnswer(target) }
    return { kind: 'divergence', divergence: { ids, points: names, operation: step.operation, ...answers } }
  }

  /** True if the reference rejects one of several commands alone as the target rejects all. */
  async #isFaultOfOtherCommand(steps: readonly Step[], { step, reference, target }: Exchange): Promise<boolean> {
    const { commands } = bodyMembers(step)
    const isRejected = [reference, target].every(({ answer }) => answer !== undefined && answer.status >= 400)
    if (!isRejected || !Array.isArray(commands) || commands.length < 2) return false
    const wanted = summarizeAnswer(target)
    for (const command of commands) {
      const json = { ...bodyMembers(step), commands: [command] }
      const alone = [...steps.slice(0, -1), { ...step, request: { ...step.request, body: { json } } }]
      const { exchanges } = await this.#attempt(alone, this.#worker)
      const last = exchanges.length === steps.length ? exchanges.at(-1) : undefined
      if (last && summarizeAnswer(last.reference) === wanted) return true
    }
    return false
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
