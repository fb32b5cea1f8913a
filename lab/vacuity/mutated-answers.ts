import { isJsonObject, JsonNumber, JsonSyntaxError, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import type { Check, ResolvedExpectation } from '../../record/types/resolved-row.js'
import { pointerParts, valueAt } from '../../runner/template/pointer.js'

type Response = NonNullable<Evidence['response']>

const statuses = [500, 400, 200, 404, 409, 302, 403, 418, 503]

/** Coarse mutations first. Mutates only the checked parts of the body. */
export function* mutatedAnswers(exchange: Evidence, expectations: readonly ResolvedExpectation[]): Generator<Evidence> {
  const { response } = exchange
  if (!response) return
  const withAnswer = (changes: Partial<Response>): Evidence => ({ ...exchange, response: { ...response, ...changes } })
  for (const status of statuses) if (status !== response.status) yield withAnswer({ status })
  yield withAnswer({ headers: [] })
  yield withAnswer({ headers: response.headers.map(([name]) => [name, 'something/else']) })
  for (const text of ['', '{}', '[]', 'no JSON']) {
    yield withAnswer({ body: bodyOf(text) })
    yield withAnswer({ status: 200, body: bodyOf(text) })
  }
  const whole = jsonIn(response.body.text)
  const withValue = (pointer: string, value: Mutated): Evidence[] => {
    const json = placed(whole, pointerParts(pointer), value)
    return json === undefined ? [] : [withAnswer({ body: bodyOf(printJson(json)) })]
  }
  const checks = expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ checks: some }) => some))
  const pointers = new Set(checks.flatMap((check) => (check.on === 'body' ? [check.pointer] : [])))
  for (const pointer of [...pointers, ''])
    for (const mutated of mutationsOf(valueAt(whole, pointer))) yield* withValue(pointer, mutated)
  // For expectations that forbid a string.
  for (const word of stringsIn(checks)) for (const pointer of [...pointers, '']) yield* withValue(pointer, word)
}

const bodyOf = (text: string): Response['body'] => ({ text, bytes: Buffer.byteLength(text) })

function jsonIn(text: string | undefined): JsonValue {
  try {
    return parseJson(text ?? '')
  } catch (error) {
    if (error instanceof JsonSyntaxError) return {}
    throw error
  }
}

function placed(whole: JsonValue, [name, ...rest]: readonly string[], value: Mutated): Mutated {
  if (name === undefined) return value
  if (Array.isArray(whole)) {
    const index = Number(name)
    const item = placed(whole[index] ?? null, rest, value)
    return item === undefined
      ? whole.toSpliced(index, 1)
      : index < whole.length
        ? whole.with(index, item)
        : [...whole, item]
  }
  const object = isJsonObject(whole) ? whole : {}
  const { [name]: before = {}, ...others } = object
  const member = placed(before, rest, value)
  return member === undefined ? others : { ...object, [name]: member }
}

function stringsIn(checks: readonly Check[]): Set<string> {
  const found = new Set<string>()
  const collect = (data: unknown): void => {
    if (typeof data === 'string') found.add(data)
    else if (typeof data === 'object' && data !== null) for (const item of Object.values(data)) collect(item)
  }
  for (const check of checks) if (check.on === 'body') collect(check.matcher)
  return found
}

type Mutated = JsonValue | undefined

/** At most `most` values with one change: first of the whole value, then inside it. */
function* mutationsOf(value: Mutated, most = 200): Generator<Mutated> {
  let count = 0
  for (const mutated of allMutations(value)) {
    yield mutated
    count += 1
    if (count >= most) return
  }
}

function* allMutations(value: Mutated): Generator<Mutated> {
  yield* replacementsOf(value)
  if (Array.isArray(value)) yield* mutatedArrays(value)
  else if (isJsonObject(value)) yield* mutatedObjects(value)
}

function* replacementsOf(value: Mutated): Generator<Mutated> {
  yield undefined
  yield null
  if (typeof value === 'string') yield* otherStrings(value)
  else if (typeof value === 'number' || value instanceof JsonNumber)
    yield* [Number(value) + 1, -1, 0, 1e15, String(value)]
  else if (typeof value === 'boolean') yield* [!value, String(value)]
  yield* ['a string', 4711, true, [], {}, ['a string'], { a: 'string' }]
}

function* otherStrings(text: string): Generator<string> {
  const last = text.at(-1)
  yield text.slice(0, -1) + (last === '0' ? '1' : '0')
  yield ''
  yield `${text} and more`
  // Timestamps in the past and in the future.
  yield '1970-01-01T00:00:00Z'
  yield '2999-01-01T00:00:00Z'
}

function* mutatedArrays(list: readonly JsonValue[]): Generator<Mutated> {
  yield list.slice(1)
  yield [...list, ...list]
  yield [...list, 'another item']
  yield list.toReversed()
  for (const [index, item] of list.entries()) {
    for (const mutated of allMutations(item)) if (mutated !== undefined) yield list.with(index, mutated)
  }
}

function* mutatedObjects(object: Readonly<Record<string, JsonValue>>): Generator<Mutated> {
  for (const [name, item] of Object.entries(object)) {
    const { [name]: _, ...rest } = object
    for (const mutated of allMutations(item)) yield mutated === undefined ? rest : { ...object, [name]: mutated }
  }
}
