/** Values as they should not be: small changes of a JSON value, one at a time. */
import { isJsonObject, JsonNumber, type JsonValue } from '../../interface/json.js'

/** Undefined: the value is not there. */
export type Mutated = JsonValue | undefined

/** Other values in its place, then changes inside of it; no more than so many. */
export function* mutationsOf(value: Mutated, most = 200): Generator<Mutated> {
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
