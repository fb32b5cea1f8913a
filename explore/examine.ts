/** Confirms, shrinks and judges a difference. */
import type { FindingCore, MetDivergence, ShownAnswer, Step } from '../record/types/exploration.js'
import { curlCommand } from '../reports/wording/curl.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import { isJudged } from './generate/sequence-generator.js'
import { severalFaults } from './judge/races.js'
import type { OpenExploration } from './open-exploration.js'
import { type ObservedDifference, Reproduction, restoreVetting } from './reproduction.js'
import { bodyMembers, type StepResult } from './send/step.js'
import { shrink } from './shrink/shrink.js'

export type Examined =
  | { kind: 'unconfirmed' }
  | { kind: 'permitted'; name: string }
  | { kind: 'divergence'; divergence: MetDivergence }
  /** Names of switch points of divergences that the target does not show after all. */
  | { kind: 'restored'; points: readonly string[] }
  | { kind: 'finding'; finding: FindingCore }

/** In attempts and milliseconds. */
const mostAttempts = 250
const longestShrinking = 30_000

/** `countRetried`: receives the number of steps of each attempt. */
export async function examine(
  observed: ObservedDifference,
  opened: OpenExploration,
  countRetried: (requests: number) => void,
): Promise<Examined> {
  const { worker, steps, difference } = observed
  const { signature } = difference
  await restoreVetting(worker, opened)
  const reproduction = new Reproduction(observed, opened, countRetried)
  // Without an operation under test, only a known difference counts.
  if (!steps.some(isJudged)) return (await adapt(steps, reproduction, opened)) ?? { kind: 'unconfirmed' }
  const limits = { attempts: mostAttempts, milliseconds: longestShrinking }
  const shrunk = await shrink(steps, (some) => reproduction.stillDiffers(some), limits)
  if (!shrunk) return { kind: 'unconfirmed' }
  // Switches change answers, not late effects.
  const adapted = shrunk.isLate ? undefined : await adapt(shrunk.steps, reproduction, opened)
  if (adapted) return adapted
  if (await isFaultOfOtherCommand(shrunk.steps, reproduction)) return { kind: 'permitted', name: severalFaults }
  const { last, before } = reproduction
  const ruling = opened.rulebook.judge(last, before)
  if (ruling === 'permitted') return { kind: 'permitted', name: signature }
  return {
    kind: 'finding',
    finding: {
      signature,
      ruling,
      operation: last.step.operation,
      pointer: difference.pointer,
      steps: shrunk.steps,
      commands: [...before, last].map(({ target }) => commandOf(target, opened)),
      answers: { reference: shown(last.reference), target: shown(last.target) },
      shrunkFrom: steps.length,
    },
  }
}

async function adapt(
  steps: readonly Step[],
  reproduction: Reproduction,
  { adaptation, outages }: OpenExploration,
): Promise<Examined | undefined> {
  const { step, reference, target } = reproduction.last
  const before = outages.count
  const adapted = await adaptation?.adapt(
    () => reproduction.isGone(steps),
    () => outages.count === before,
  )
  if (!adapted) return undefined
  const { points, effect } = adapted
  if (effect === 'restored') return { kind: 'restored', points }
  if (effect === 'masked') return { kind: 'permitted', name: reproduction.signature }
  const divergence: MetDivergence = {
    points,
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

const commandOf = ({ evidence, unsent }: StepResult, { connection }: OpenExploration): string =>
  evidence ? curlCommand(evidence, undefined, connection) : `# not sent: ${unsent}`

function shown(result: StepResult): ShownAnswer {
  const { answer, evidence, unsent = '' } = result
  return { said: summarizeAnswer(result), body: answer?.text ?? evidence?.problem?.message ?? unsent }
}
