/** Confirms, shrinks and judges a difference. */
import { type JsonValue, parseJson, printJson } from '../lib/json/json.js'
import type { Redaction } from '../lib/redaction/redaction.js'
import { type Difference, summarizeAnswer } from './compare/compare-answers.js'
import type { Exchange } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { Adaptation } from './judge/adapt.js'
import { type Finding, type MetDivergence, type Ruling, type ShownAnswer, signatureOf } from './judge/finding.js'
import { severalFaults } from './judge/races.js'
import type { Rulebook } from './judge/ruling.js'
import type { Outages } from './outages.js'
import { Reproduction, type ReproductionContext, restoreVetting } from './reproduction.js'
import { bodyMembers, type Step, type StepResult } from './send/step.js'
import { shrink } from './shrink/shrink.js'
import type { Worker } from './worker.js'

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

export interface ExaminationContext extends ReproductionContext {
  rulebook: Rulebook
  /** Absent if the reference has no switches. */
  adaptation?: Adaptation
  redaction: Redaction
  /** True if the reference shows an equal server error of the operation in other requests. */
  isKnownFault(exchange: Exchange): boolean
  outages: Pick<Outages, 'count'>
}

/** In attempts and milliseconds. */
const mostAttempts = 250
const longestShrinking = 30_000
/** Characters. */
const longestShown = 20_000

export async function examine(observed: ObservedDifference, context: ExaminationContext): Promise<Examined> {
  const { worker, steps, difference } = observed
  await restoreVetting(worker, context)
  const signature = signatureOf(observed.exchange.step, difference)
  const reproduction = new Reproduction(worker, observed.exchange, signature, context)
  // Without an operation under test, only a known difference counts.
  if (!steps.some(isJudged)) return (await adapt(steps, reproduction, context)) ?? { kind: 'unconfirmed' }
  const limits = { attempts: mostAttempts, milliseconds: longestShrinking }
  const shrunk = await shrink(steps, (some) => reproduction.stillDiffers(some), limits)
  if (!shrunk) return { kind: 'unconfirmed' }
  // Switches change answers, not late effects.
  const adapted = shrunk.isLate ? undefined : await adapt(shrunk.steps, reproduction, context)
  if (adapted) return adapted
  const { last, before } = reproduction
  if (await isFaultOfOtherCommand(shrunk.steps, reproduction)) return { kind: 'permitted', names: [severalFaults] }
  const ruling = judged(last, before, context)
  if (ruling === 'permitted') return { kind: 'permitted', names: [signature] }
  return {
    kind: 'finding',
    finding: {
      signature,
      ruling,
      steps: shrunk.steps,
      difference: redacted(last.difference ?? difference, context.redaction),
      answers: {
        reference: shown(last.reference, context.redaction),
        target: shown(last.target, context.redaction),
      },
      shrunkFrom: steps.length,
      attempts: shrunk.attempts,
    },
    exchanges: [...before, last].map((one, index) => ({ ...one, step: shrunk.steps[index] ?? one.step })),
    worker: reproduction.worker,
  }
}

function judged(last: Exchange, before: readonly Exchange[], context: ExaminationContext): Ruling | 'permitted' {
  const ruling = context.rulebook.judge(last, before)
  const isNewFault =
    context.adaptation !== undefined &&
    last.difference?.outcomes.target === 'server-error' &&
    !context.isKnownFault(last)
  if (ruling === 'permitted' || !isNewFault) return ruling
  return { ...ruling, because: `new fault: ${ruling.because} that no divergence explains` }
}

async function adapt(
  steps: readonly Step[],
  reproduction: Reproduction,
  { adaptation, outages }: ExaminationContext,
): Promise<Examined | undefined> {
  const { step, reference, target } = reproduction.last
  const before = outages.count
  const adapted = await adaptation?.adapt(
    () => reproduction.isGone(steps),
    () => outages.count === before,
  )
  if (!adapted) return undefined
  const { points, effect } = adapted
  if (effect === 'restored') return { kind: 'restored', points: points.map(({ name }) => name) }
  if (effect === 'masked') return { kind: 'permitted', names: [reproduction.signature] }
  const divergence: MetDivergence = {
    ids: points.flatMap(({ divergences }) => divergences),
    points: points.map(({ name }) => name),
    operation: step.operation,
    reference: summarizeAnswer(reference),
    target: summarizeAnswer(target),
  }
  return { kind: 'divergence', divergence }
}

/** True if the reference rejects one of several commands alone as the target rejects all. */
async function isFaultOfOtherCommand(steps: readonly Step[], reproduction: Reproduction): Promise<boolean> {
  const { step, reference, target } = reproduction.last
  const { commands } = bodyMembers(step)
  const isRejected = [reference, target].every(({ answer }) => answer !== undefined && answer.status >= 400)
  if (!isRejected || !Array.isArray(commands) || commands.length < 2) return false
  const wanted = summarizeAnswer(target)
  for (const command of commands) {
    const json = { ...bodyMembers(step), commands: [command] }
    const alone = [...steps.slice(0, -1), { ...step, request: { ...step.request, body: { json } } }]
    const { exchanges } = await reproduction.send(alone)
    const last = exchanges.length === steps.length ? exchanges.at(-1) : undefined
    if (last && summarizeAnswer(last.reference) === wanted) return true
  }
  return false
}

function redacted(difference: Difference, redaction: Redaction): Difference {
  const clean = (value: JsonValue): JsonValue => parseJson(redaction.clean(printJson(value)))
  return { ...difference, reference: clean(difference.reference), target: clean(difference.target) }
}

function shown(result: StepResult, redaction: Redaction): ShownAnswer {
  const { answer, evidence, unsent = '' } = result
  const text = redaction.clean(answer?.text ?? evidence?.problem?.message ?? unsent)
  const body = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  return { said: summarizeAnswer(result), body }
}
