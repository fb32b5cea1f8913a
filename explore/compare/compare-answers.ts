/** Compares by outcome, code, shape and values, in this order. */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Step } from '../../record/types/exploration.js'
import type { Answer } from '../../runner/judge/answer.js'
import { valueAt } from '../../runner/template/pointer.js'
import type { StepResult } from '../send/step.js'
import { compareValues } from './compare-values.js'
import type { Correspondence } from './correspondence.js'

export type Outcome = 'accepted' | 'refused' | 'server-error' | 'no-answer' | 'unsent'

interface DifferingPart {
  level: 'outcome' | 'code' | 'shape' | 'value'
  /** Empty for the whole answer. */
  pointer: string
}

export interface Difference extends DifferingPart {
  outcomes: Outcomes
  /** Equal for differences that probably have one cause: it contains no values that change between attempts. */
  signature: string
}

export interface Outcomes {
  reference: Outcome
  target: Outcome
}

export function outcomeOf({ answer, unsent }: StepResult): Outcome {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no-answer'
  if (answer.status >= 500) return 'server-error'
  return answer.status >= 200 && answer.status < 300 ? 'accepted' : 'refused'
}

/** `own`: without it, all vetted packages are compared. */
export function compareAnswers(
  { operation, request }: Step,
  answers: Answers,
  ids: Correspondence,
  own?: OwnPackages,
): Difference | undefined {
  const differing = differingPart(answers, ids, own)
  if (!differing) return undefined
  const { level, pointer } = differing
  const outcomes = { reference: outcomeOf(answers.reference), target: outcomeOf(answers.target) }
  const form = request.method === 'POST' ? '' : ` ${request.method}`
  const summaries =
    level === 'outcome' || level === 'code'
      ? `${summarizeAnswer(answers.reference)} | ${summarizeAnswer(answers.target)}`
      : ''
  const place = `${operation}${form} ${level} ${placeOf(pointer)}`
  return {
    level,
    pointer,
    outcomes,
    signature: `${place} ${outcomes.reference} ${outcomes.target} ${summaries}`.trim(),
  }
}

export interface Answers {
  reference: StepResult
  target: StepResult
}

function differingPart(
  { reference, target }: Answers,
  ids: Correspondence,
  own: OwnPackages | undefined,
): DifferingPart | undefined {
  if (outcomeOf(reference) !== outcomeOf(target)) return { level: 'outcome', pointer: '' }
  if (summarizeAnswer(reference) !== summarizeAnswer(target)) return { level: 'code', pointer: '' }
  const [ours, theirs] = [bodyOf(reference.answer, own), bodyOf(target.answer, own)]
  if ((ours === undefined) !== (theirs === undefined)) return { level: 'shape', pointer: '' }
  if (ours === undefined || theirs === undefined) return undefined
  const members = compareValues(ours, theirs, ids)
  return members.find(({ level }) => level === 'shape') ?? members[0]
}

/** `*` replaces indices. */
export const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

export function summarizeAnswer({ answer, unsent }: StepResult): string {
  if (unsent !== undefined) return 'unsent'
  if (!answer) return 'no answer'
  const code = valueAt(answer.json, '/code')
  const isError = answer.status >= 300
  const suffix = isError && typeof code === 'string' ? ` ${code}` : ''
  return `${answer.status} ${answer.mediaType ?? 'without content'}${suffix}`
}

/** Of an error, only the members that clients rely on. */
function bodyOf(answer: Answer | undefined, own?: OwnPackages): JsonValue | undefined {
  if (answer?.json === undefined) return undefined
  if (answer.status < 300) return own ? withoutOtherPackages(answer.json, own) : answer.json
  return isJsonObject(answer.json) ? comparedError(answer.json) : answer.json
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

/** Ids of the packages whose vetting the exploration changes. */
export type OwnPackages = ReadonlySet<string>

/** Removes packages that other clients vet, such as the libraries of an uploaded archive. */
function withoutOtherPackages(body: JsonValue, own: OwnPackages): JsonValue {
  if (!isJsonObject(body)) return body
  return mapMembers(body, (name, value) => {
    if (name === 'vettedPackages' && Array.isArray(value)) return value.map((state) => filtered(state, own))
    return name === 'pastVettedPackages' || name === 'newVettedPackages' ? filtered(value, own) : value
  })
}

const filtered = (state: JsonValue, own: OwnPackages): JsonValue =>
  isJsonObject(state)
    ? mapMembers(state, (name, value) =>
        name === 'packages' && Array.isArray(value) ? value.filter((one) => isOwn(one, own)) : value,
      )
    : state

/** Elements of another form stay, so that the comparison finds them. */
const isOwn = (one: JsonValue, own: OwnPackages): boolean => {
  const id = isJsonObject(one) ? one['packageId'] : undefined
  return typeof id !== 'string' || own.has(id)
}

const mapMembers = (object: JsonObject, change: (name: string, value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]))

const rowsIn = /\b[0-9a-f]{8}r\d+\b/g

/** Late effects of an earlier sequence of the same parties are none of this one. Updates without a row stay. */
export function withoutOtherRows(result: StepResult, { operation }: Step, row: string): StepResult {
  const { answer } = result
  if (operation !== 'updates' || !answer || answer.status >= 300 || !Array.isArray(answer.json)) return result
  const isOfOtherRow = (item: JsonValue): boolean => {
    const rows = printJson(item).match(rowsIn)
    return rows !== null && !rows.includes(row)
  }
  return { ...result, answer: { ...answer, json: answer.json.filter((item) => !isOfOtherRow(item)) } }
}
