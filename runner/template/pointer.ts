import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { isIndex, pointerParts, valueAt } from '../../lib/json/pointer.js'

export { pointerParts, valueAt } from '../../lib/json/pointer.js'

/** Empty unless the pointer leads to an array. */
export function itemsAt(value: JsonValue | undefined, pointer: string): readonly JsonValue[] {
  const found = valueAt(value, pointer)
  return Array.isArray(found) ? found : []
}

/** Undefined unless the pointer leads to a string. */
export function stringAt(value: JsonValue | undefined, pointer: string): string | undefined {
  const found = valueAt(value, pointer)
  return typeof found === 'string' ? found : undefined
}

export class PointerError extends Error {
  override readonly name = 'PointerError'

  constructor(pointer: string, problem: string) {
    super(`cannot edit ${pointer}: ${problem}`)
  }
}

/** The parent must exist; an index one past the end appends. Throws `PointerError`. */
export function setAt<Value extends JsonValue>(value: Value, pointer: string, replacement: Value): Value {
  return change(value, pointerParts(pointer), pointer, () => replacement) as Value // consists of parts of both
}

/** The member must exist. Throws `PointerError`. */
export function removeAt<Value extends JsonValue>(value: Value, pointer: string): Value {
  return change(value, pointerParts(pointer), pointer, () => undefined) as Value // a part of the value
}

function change(
  value: JsonValue,
  parts: readonly string[],
  pointer: string,
  edit: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue {
  const [head, ...rest] = parts
  if (head === undefined) {
    const edited = edit(value)
    if (edited === undefined) throw new PointerError(pointer, 'the whole value cannot be removed')
    return edited
  }
  if (Array.isArray(value)) return changeItem(value, indexIn(value, head), rest, pointer, edit)
  if (!isJsonObject(value)) throw new PointerError(pointer, `the member ${head} does not exist`)
  const old = Object.hasOwn(value, head) ? value[head] : undefined
  const edited = step(old, rest, pointer, head, edit)
  const entries = Object.entries(value).filter(([name]) => name !== head || edited !== undefined)
  const copy = Object.fromEntries(entries)
  // Assignment to __proto__ would set the prototype.
  if (edited !== undefined)
    Object.defineProperty(copy, head, { value: edited, enumerable: true, configurable: true, writable: true })
  return copy
}

/** `-` is the index one past the end. */
const indexIn = (items: readonly JsonValue[], part: string): number =>
  part === '-' ? items.length : isIndex(part) ? Number(part) : Number.NaN

function changeItem(
  items: JsonValue[],
  at: number,
  rest: readonly string[],
  pointer: string,
  edit: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue {
  if (!Number.isInteger(at) || at > items.length) throw new PointerError(pointer, `the list has ${items.length} items`)
  const edited = step(items[at], rest, pointer, String(at), edit)
  return edited === undefined ? items.toSpliced(at, 1) : items.toSpliced(at, 1, edited)
}

function step(
  old: JsonValue | undefined,
  rest: readonly string[],
  pointer: string,
  name: string,
  edit: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (rest.length > 0) {
    if (old === undefined) throw new PointerError(pointer, `the member ${name} does not exist`)
    return change(old, rest, pointer, edit)
  }
  const edited = edit(old)
  if (edited === undefined && old === undefined) throw new PointerError(pointer, 'the member to remove does not exist')
  return edited
}
