/** What a case can expect of a member in which two answers differ, so that the model meets it and the target does not. */
import { isJsonObject, JsonNumber, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { type Difference, notThere } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import { variable } from '../generate/variable.js'

/** `ids`: names of the model's ids. What is the same for everybody is expected as it is; otherwise what kind of value it is. */
export function matcherFor({ model, target, pointer }: Difference, ids: ReadonlyMap<string, string>): Data {
  if (model === notThere) return 'absent'
  if (target === notThere) return 'present'
  if (Array.isArray(model) && Array.isArray(target)) return listMatcher(model, target, ids)
  if (typeof model === 'number' && volatile.test(pointer)) return { type: 'integer', 'greater-than': 0 }
  const data = dataOf(model, ids)
  if (data !== undefined) return { equals: data }
  if (model === '' || model === null) return 'unpopulated'
  return { type: Array.isArray(model) ? 'array' : typeof model === 'object' ? 'object' : typeof model }
}

/** Numbers that are others on each ledger. */
const volatile = /\/(?:offset|completionOffset|topologySerial)$/

/** Other things may be in it as well, on a participant that others use. */
function listMatcher(
  model: readonly JsonValue[],
  target: readonly JsonValue[],
  ids: ReadonlyMap<string, string>,
): Data {
  const theirs = new Set(target.map((item) => printJson(item)))
  const ours = new Set(model.map((item) => printJson(item)))
  const lacking = model.filter((item) => !theirs.has(printJson(item))).map((item) => dataOf(item, ids))
  const surplus = target.filter((item) => !ours.has(printJson(item))).map((item) => dataOf(item, ids))
  if (lacking.length > 0 && lacking.every((item) => item !== undefined)) return { 'superset-of': lacking }
  const mentioned = surplus.flatMap((item) => namesIn(item))
  if (mentioned.length > 0) return { 'mentions-none': mentioned }
  return { length: model.length }
}

const namesIn = (item: Data | undefined): string[] => {
  if (typeof item === 'string') return [item]
  const id = typeof item === 'object' && item !== null && !Array.isArray(item) ? item['packageId'] : undefined
  return typeof id === 'string' ? [id] : []
}

/** The variable of a case that holds what another answer has there where it should be the same. */
export const seenName = 'seen'

/** Where else the model says the very thing that the target does not: an earlier answer, or the same one. */
export function seenElsewhere(
  { model, pointer }: Difference,
  exchanges: readonly Exchange[],
): { index: number; pointer: string } | undefined {
  if (typeof model !== 'string' || !strange.test(model)) return undefined
  for (const [index, exchange] of exchanges.entries()) {
    const isLast = index === exchanges.length - 1
    const found = placesOf(exchange.model.answer?.json ?? null, model).find((place) => !isLast || place !== pointer)
    if (found !== undefined) return { index, pointer: found }
  }
  return undefined
}

function placesOf(value: JsonValue, wanted: string, pointer = ''): string[] {
  if (value === wanted) return [pointer]
  if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, wanted, `${pointer}/${index}`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    placesOf(item, wanted, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

const strange = /1220[0-9a-f]{64}|0[01][0-9a-f]{64,}|\d{4}-\d\d-\d\dT|[A-Za-z0-9+/]{43}=/

/** With variables for ids; undefined where an id has none. */
function dataOf(value: JsonValue, ids: ReadonlyMap<string, string>): Data | undefined {
  if (typeof value === 'string') {
    const name = ids.get(value)
    if (name !== undefined) return variable(name)
    return strange.test(value) ? undefined : value
  }
  if (value instanceof JsonNumber) return { $number: value.text }
  if (Array.isArray(value)) {
    const items = value.map((item) => dataOf(item, ids))
    return items.some((item) => item === undefined)
      ? undefined
      : items.flatMap((item) => (item === undefined ? [] : [item]))
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, item]): [string, Data | undefined] => [name, dataOf(item, ids)])
  return entries.some(([, item]) => item === undefined)
    ? undefined
    : Object.fromEntries(entries.flatMap(([name, item]) => (item === undefined ? [] : [[name, item]])))
}
