/** Compares the answers of both sides to one step by outcome, code, shape and values, in this order. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Answer } from '../../runner/judge/answer.js'
import { valueAt } from '../../runner/template/pointer.js'
import type { StepResult } from '../send/send-step.js'
import { compareValues, type MemberDifference } from './compare-values.js'
import type { Correspondence } from './correspondence.js'

export type Outcome = 'accepted' | 'refused' | 'server-error' | 'no-answer' | 'unsent'

/** The first difference of two answers. Each side's value contains its own ids. */
export interface Difference extends Omit<MemberDifference, 'level'> {
  level: 'outcome' | 'code' | MemberDifference['level']
  outcomes: { reference: Outcome; target: Outcome }
}

export function outcomeOf({ answer, unsent }: StepResult): Outcome {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no-answer'
  if (answer.status >= 500) return 'server-error'
  return answer.status >= 200 && answer.status < 300 ? 'accepted' : 'refused'
}

export function compareAnswers(reference: StepResult, target: StepResult, ids: Correspondence): Difference | undefined {
  const outcomes = { reference: outcomeOf(reference), target: outcomeOf(target) }
  const summaries = { reference: summarizeAnswer(reference), target: summarizeAnswer(target) }
  if (outcomes.reference !== outcomes.target) return { level: 'outcome', pointer: '', ...summaries, outcomes }
  if (summaries.reference !== summaries.target) return { level: 'code', pointer: '', ...summaries, outcomes }
  const [ours, theirs] = [bodyOf(reference.answer), bodyOf(target.answer)]
  if ((ours === undefined) !== (theirs === undefined))
    return { level: 'shape', pointer: '', reference: kindOf(ours), target: kindOf(theirs), outcomes }
  if (ours === undefined || theirs === undefined) return undefined
  const found = compareValues(ours, theirs, ids)
  const worst = found.find(({ level }) => level === 'shape') ?? found[0]
  return worst && { ...worst, outcomes }
}

const kindOf = (body: JsonValue | undefined): string => (body === undefined ? 'no JSON' : 'JSON')

/** Status, media type, and the code of an error. */
export function summarizeAnswer({ answer, unsent }: StepResult): string {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no answer'
  const code = valueAt(answer.json, '/code')
  const isError = answer.status >= 300
  const suffix = isError && typeof code === 'string' ? ` ${code}` : ''
  return `${answer.status} ${answer.mediaType ?? 'without content'}${suffix}`
}

/** The compared part of a body: of an error, only the members that clients rely on. */
function bodyOf(answer: Answer | undefined): JsonValue | undefined {
  if (answer?.json === undefined) return undefined
  return answer.status < 300 || !isJsonObject(answer.json) ? answer.json : comparedError(answer.json)
}

const errorMembers: readonly string[] = ['code', 'errorCategory', 'grpcCodeValue', 'retryInfo', 'definiteAnswer']

function comparedError(body: JsonObject): JsonObject {
  const members = errorMembers.flatMap((name): [string, JsonValue][] =>
    Object.hasOwn(body, name) ? [[name, body[name] ?? null]] : [],
  )
  const resources = body['resources']
  const kinds = Array.isArray(resources)
    ? resources.map((item) => (Array.isArray(item) ? (item[0] ?? null) : null))
    : []
  const field = valueAt(body, '/context/field_name')
  return { ...Object.fromEntries(members), resources: kinds, ...(field !== undefined && { field }) }
}
