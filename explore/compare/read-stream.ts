/** Lists of a live participant contain checkpoints, and completions arrive later than the answers. */
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { Step, StepResult } from '../send/step.js'

/** Milliseconds before each further read of a list that lacks elements. */
const pauses: readonly number[] = [500, 1000]

const isCheckpoint = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  Object.values(item).some((response) => isJsonObject(response) && Object.hasOwn(response, 'OffsetCheckpoint'))

const listIn = (answer: Answer | undefined): readonly JsonValue[] | undefined =>
  answer && answer.status < 300 && Array.isArray(answer.json) ? answer.json : undefined

const lists: ReadonlySet<string> = new Set(['completions', 'updates'])

/** The text permits checkpoints anywhere in a list. */
export function withoutCheckpoints(result: StepResult, { operation, request }: Step): StepResult {
  const list = lists.has(operation) ? listIn(result.answer) : undefined
  if (!result.answer || !list?.some(isCheckpoint)) return result
  const limit = Number(request.query?.['limit'] ?? Number.POSITIVE_INFINITY)
  const { answer } = result
  const json = list.filter((item) => !isCheckpoint(item)).slice(0, limit)
  return { ...result, answer: { ...answer, json } }
}

/** Reads the completions of the target again while it has fewer than the reference. */
export async function readLateCompletions(
  step: Step,
  reference: StepResult,
  first: StepResult,
  send: (step: Step) => Promise<StepResult>,
): Promise<StepResult> {
  const expected = listIn(reference.answer)?.length ?? 0
  let last = first
  let sent = step
  for (const pause of pauses) {
    const list = listIn(last.answer)
    const kept = withoutCheckpoints(last, step)
    if (step.operation !== 'completions' || !list || (listIn(kept.answer)?.length ?? 0) >= expected) return kept
    const checkpoints = list.filter(isCheckpoint).length
    if (checkpoints === 0) await delay(pause)
    sent = withLimit(step, expected + checkpoints)
    last = await send(sent)
  }
  return withoutCheckpoints(last, step)
}

/** Checkpoints count towards the limit. */
const withLimit = (step: Step, limit: number): Step => ({
  ...step,
  request: { ...step.request, query: { ...step.request.query, limit: String(limit) } },
})
