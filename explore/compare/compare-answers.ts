/** What two participants said to one turn, from the most to the least important: outcome, code, shape, values. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Answer } from '../../runner/judge/answer.js'
import { valueAt } from '../../runner/template/pointer.js'
import type { Told } from '../send/send-step.js'
import { compareValues, type MemberDifference } from './compare-values.js'
import type { Correspondence } from './correspondence.js'

export type Outcome = 'accepted' | 'refused' | 'server-error' | 'no-answer' | 'unsent'

export type Level = 'outcome' | 'code' | 'shape' | 'value'

/** The first way in which two answers differ; values are of the side's own ids. */
export interface Difference {
  level: Level
  /** Empty: outcome, status, media type or code, and not a member. */
  pointer: string
  model: JsonValue
  target: JsonValue
  outcomes: { model: Outcome; target: Outcome }
}

export function outcomeOf({ answer, unsent }: Told): Outcome {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no-answer'
  if (answer.status >= 500) return 'server-error'
  return answer.status >= 200 && answer.status < 300 ? 'accepted' : 'refused'
}

/** Undefined: they are alike. */
export function compareAnswers(model: Told, target: Told, ids: Correspondence): Difference | undefined {
  const outcomes = { model: outcomeOf(model), target: outcomeOf(target) }
  const words = { model: saidBy(model), target: saidBy(target) }
  if (outcomes.model !== outcomes.target) return { level: 'outcome', pointer: '', ...words, outcomes }
  if (words.model !== words.target) return { level: 'code', pointer: '', ...words, outcomes }
  const [ours, theirs] = [bodyOf(model.answer), bodyOf(target.answer)]
  if ((ours === undefined) !== (theirs === undefined))
    return { level: 'shape', pointer: '', model: kindOf(ours), target: kindOf(theirs), outcomes }
  if (ours === undefined || theirs === undefined) return undefined
  const found = compareValues(ours, theirs, ids)
  const worst = found.find(({ level }) => level === 'shape') ?? found[0]
  return worst && { ...tellOf(worst), outcomes }
}

const kindOf = (body: JsonValue | undefined): string => (body === undefined ? 'no JSON' : 'JSON')

const tellOf = ({ level, pointer, model, target }: MemberDifference): Omit<Difference, 'outcomes'> => ({
  ...{ level, pointer },
  model: model ?? notThere,
  target: target ?? notThere,
})

/** What stands for a member that is not there. */
export const notThere = '(not there)'

/** Status, media type and code: what programs go by. */
export function saidBy({ answer, unsent }: Told): string {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no answer'
  const code = valueAt(answer.json, '/code')
  const isRefused = answer.status >= 300
  const named = isRefused && typeof code === 'string' ? ` ${code}` : ''
  return `${answer.status} ${answer.mediaType ?? 'without content'}${named}`
}

/** Of a refusal only what clients can go by; its wording is its own. */
function bodyOf(answer: Answer | undefined): JsonValue | undefined {
  if (answer?.json === undefined) return undefined
  return answer.status < 300 || !isJsonObject(answer.json) ? answer.json : refusalOf(answer.json)
}

const told: readonly string[] = ['code', 'errorCategory', 'grpcCodeValue', 'retryInfo', 'definiteAnswer']

function refusalOf(body: JsonObject): JsonObject {
  const members = told.flatMap((name): [string, JsonValue][] =>
    Object.hasOwn(body, name) ? [[name, body[name] ?? null]] : [],
  )
  const resources = body['resources']
  const kinds = Array.isArray(resources)
    ? resources.map((item) => (Array.isArray(item) ? (item[0] ?? null) : null))
    : []
  const context = valueAt(body, '/context/field_name')
  return { ...Object.fromEntries(members), resources: kinds, ...(context !== undefined && { field: context }) }
}
