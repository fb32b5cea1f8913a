/** JSON bodies of requests and answers. */
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printJson,
} from '../../lib/json/json.js'
import type { InterceptedAnswer, InterceptedRequest } from '../../simulator/participant/participant.js'

export const bodyOf = ({ body }: Pick<InterceptedRequest, 'body'>): JsonObject | undefined =>
  parseObject(body.toString('utf8'))

export const answerOf = ({ text }: InterceptedAnswer): JsonObject | undefined => parseObject(text)

export const codeOf = (answer: InterceptedAnswer): JsonValue | undefined => answerOf(answer)?.['code']

export function parseObject(text: string): JsonObject | undefined {
  try {
    const found = parseJson(text)
    return isJsonObject(found) ? found : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

export const withBody = (request: InterceptedRequest, body: JsonValue): InterceptedRequest => ({
  ...request,
  body: Buffer.from(printJson(body)),
})

export const json = (status: number, answer: JsonValue): InterceptedAnswer => ({
  status,
  contentType: 'application/json',
  text: printJson(answer),
})

export const isRejection = ({ status }: InterceptedAnswer): boolean => status >= 400 && status < 500

export const isDuplicate = (answer: InterceptedAnswer): boolean =>
  ['DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT'].includes(String(codeOf(answer)))

export const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

/** An object without these members. */
export const without =
  (...members: readonly string[]) =>
  (body: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([member]) => !members.includes(member)))

/** Changes members of an object; undefined removes a member. */
export const changing =
  (members: readonly string[], change: (value: JsonValue, member: string) => JsonValue | undefined) =>
  (body: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(body).flatMap(([member, value]): [string, JsonValue][] => {
        const changed = members.includes(member) ? change(value, member) : value
        return changed === undefined ? [] : [[member, changed]]
      }),
    )

/** Maximum nesting of changed values. */
const deepest = 300

/** Changes members at any depth; undefined removes a member. A changed member is not searched. */
export function changeMembers(
  value: JsonValue,
  names: readonly string[],
  change: (value: JsonValue) => JsonValue | undefined,
  depth = 0,
): JsonValue {
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((item) => changeMembers(item, names, change, depth + 1))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const next = names.includes(name) ? change(item) : changeMembers(item, names, change, depth + 1)
    return next === undefined ? [] : [[name, next]]
  })
  return Object.fromEntries(entries)
}

export function changeStrings(value: JsonValue, change: (text: string) => JsonValue, depth = 0): JsonValue {
  if (depth > deepest) return value
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => changeStrings(item, change, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changeStrings(item, change, depth + 1)]))
}
