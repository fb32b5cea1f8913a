/** Answers as they should not be: mutations of one recorded exchange. */
import { isJsonObject, JsonNumber, JsonSyntaxError, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedExpectation } from '../../record/types/resolved-row.js'
import { pointerParts, valueAt } from '../../runner/template/pointer.js'

type Response = NonNullable<Evidence['response']>

const statuses = [500, 400, 200, 404, 409, 302, 403, 418, 503]

/** From the coarse to the fine; `expectations`: by what it is judged, so that nothing else need be changed. */
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
  for (const { at, value } of looked(jsonIn(response.body.text), expectations)) {
    for (const mutated of mutationsOf(value.found)) {
      const json = placed(value.whole, at, mutated)
      if (json !== undefined) yield withAnswer({ body: bodyOf(printJson(json)) })
    }
  }
  // What must not be mentioned is.
  for (const word of mentionedIn(expectations)) {
    for (const { at, value } of looked(jsonIn(response.body.text), expectations)) {
      const json = placed(value.whole, at, word)
      if (json !== undefined) yield withAnswer({ body: bodyOf(printJson(json)) })
    }
  }
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

/** What the expectations look at in the body, each pointer once, and the body as a whole. */
function* looked(
  whole: JsonValue,
  expectations: readonly ResolvedExpectation[],
): Generator<{ at: string[]; value: { whole: JsonValue; found: Mutated } }> {
  const checks = expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ checks: some }) => some))
  const pointers = new Set(checks.flatMap((check) => (check.on === 'body' ? [check.pointer] : [])))
  for (const pointer of [...pointers, ''])
    yield { at: pointerParts(pointer), value: { whole, found: valueAt(whole, pointer) } }
}

/** The whole with that in the place; what is on the way there is made. Undefined: nothing is left. */
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

/** Every text that stands in a matcher: what may not be mentioned is among them. */
function mentionedIn(expectations: readonly ResolvedExpectation[]): Set<string> {
  const found = new Set<string>()
  const collect = (data: unknown): void => {
    if (typeof data === 'string') found.add(data)
    else if (typeof data === 'object' && data !== null) for (const item of Object.values(data)) collect(item)
  }
  for (const { anyOf } of expectations)
    for (const { checks } of anyOf) for (const check of checks) if (check.on === 'body') collect(check.matcher)
  return found
}

// Values as they should not be: small changes of a JSON value, one at a time.

/** Undefined: the value is not there. */
type Mutated = JsonValue | undefined

/** Other values in its place, then changes inside of it; no more than so many. */
function* mutationsOf(value: Mutated, most = 200): Generator<Mutated> {
  let count = 0
  for (const mutated of all(value)) {
    yield mutated
    count += 1
    if (count >= most) return
  }
}

function* all(value: Mutated): Generator<Mutated> {
  yield* others(value)
  if (Array.isArray(value)) yield* ofList(value)
  else if (isJsonObject(value)) yield* ofObject(value)
}

function* others(value: Mutated): Generator<Mutated> {
  yield undefined
  yield null
  if (typeof value === 'string') yield* otherTexts(value)
  else if (typeof value === 'number' || value instanceof JsonNumber)
    yield* [Number(value) + 1, -1, 0, 1e15, String(value)]
  else if (typeof value === 'boolean') yield* [!value, String(value)]
  yield* ['a text', 4711, true, [], {}, ['a text'], { a: 'text' }]
}

function* otherTexts(text: string): Generator<string> {
  const last = text.at(-1)
  yield text.slice(0, -1) + (last === '0' ? '1' : '0')
  yield ''
  yield `${text} and more`
  // Points in time, before and after everything else.
  yield '1970-01-01T00:00:00Z'
  yield '2999-01-01T00:00:00Z'
}

function* ofList(list: readonly JsonValue[]): Generator<Mutated> {
  yield list.slice(1)
  yield [...list, ...list]
  yield [...list, 'a stranger']
  yield list.toReversed()
  for (const [index, item] of list.entries()) {
    for (const mutated of all(item)) if (mutated !== undefined) yield list.with(index, mutated)
  }
}

function* ofObject(object: Readonly<Record<string, JsonValue>>): Generator<Mutated> {
  for (const [name, item] of Object.entries(object)) {
    const { [name]: _, ...rest } = object
    for (const mutated of all(item)) yield mutated === undefined ? rest : { ...object, [name]: mutated }
  }
}
