import { isJsonObject, JsonNumber, type JsonValue, printJson } from '../../lib/json/json.js'
import { pointerPart } from '../../lib/json/pointer.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Difference } from '../compare/compare-answers.js'
import { absentValue } from '../compare/compare-values.js'
import type { Exchange } from '../compare/run-sequence.js'
import { variable } from '../generate/draft-step.js'

/** `ids`: variables by id of the reference. Values with unknown ids are expected by type. */
export function matcherFor({ reference, target, pointer }: Difference, ids: ReadonlyMap<string, string>): Data {
  if (reference === absentValue) return 'absent'
  if (target === absentValue) return 'present'
  if (Array.isArray(reference) && Array.isArray(target)) return arrayMatcher(reference, target, ids)
  if (typeof reference === 'number' && volatile.test(pointer)) return { type: 'integer', 'greater-than': 0 }
  const data = dataOf(reference, ids)
  if (data !== undefined) return { equals: data }
  return { type: Array.isArray(reference) ? 'array' : typeof reference === 'object' ? 'object' : typeof reference }
}

/** Numbers that differ between ledgers. */
const volatile = /\/(?:offset|completionOffset|topologySerial)$/

/** Other clients may add items. */
function arrayMatcher(
  reference: readonly JsonValue[],
  target: readonly JsonValue[],
  ids: ReadonlyMap<string, string>,
): Data {
  const theirs = new Set(target.map((item) => printJson(item)))
  const ours = new Set(reference.map((item) => printJson(item)))
  const lacking = reference.filter((item) => !theirs.has(printJson(item))).map((item) => dataOf(item, ids))
  const surplus = target.filter((item) => !ours.has(printJson(item))).map((item) => dataOf(item, ids))
  if (lacking.length > 0 && lacking.every((item) => item !== undefined)) return { 'superset-of': lacking }
  const surplusNames = surplus.flatMap((item) => namesIn(item))
  if (surplusNames.length > 0) return { 'mentions-none': surplusNames }
  return { length: reference.length }
}

const namesIn = (item: Data | undefined): string[] => {
  if (typeof item === 'string') return [item]
  const id = typeof item === 'object' && item !== null && !Array.isArray(item) ? item['packageId'] : undefined
  return typeof id === 'string' ? [id] : []
}

/** Variable of an earlier value that the last answer must repeat. */
export const seenName = 'seen'

export function findEarlierValue(
  { reference, pointer }: Difference,
  exchanges: readonly Exchange[],
): { index: number; pointer: string } | undefined {
  if (typeof reference !== 'string' || !generated.test(reference)) return undefined
  for (const [index, exchange] of exchanges.entries()) {
    const isLast = index === exchanges.length - 1
    const found = pointersTo(exchange.reference.answer?.json ?? null, reference).find(
      (place) => !isLast || place !== pointer,
    )
    if (found !== undefined) return { index, pointer: found }
  }
  return undefined
}

function pointersTo(value: JsonValue, wanted: string, pointer = ''): string[] {
  if (value === wanted) return [pointer]
  if (Array.isArray(value)) return value.flatMap((item, index) => pointersTo(item, wanted, `${pointer}/${index}`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => pointersTo(item, wanted, `${pointer}/${pointerPart(name)}`))
}

/** Values that a participant generates. */
const generated = /1220[0-9a-f]{64}|0[01][0-9a-f]{64,}|\d{4}-\d\d-\d\dT|[A-Za-z0-9+/]{43}=/

function dataOf(value: JsonValue, ids: ReadonlyMap<string, string>): Data | undefined {
  if (typeof value === 'string') {
    const name = ids.get(value)
    if (name !== undefined) return variable(name)
    return generated.test(value) ? undefined : value
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
