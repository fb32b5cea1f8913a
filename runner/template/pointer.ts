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
  return change(value, pointerParts(pointer), pointer, replacement) as Value // consists of parts of both
}

/** The member must exist. Throws `PointerError`. */
export function removeAt<Value extends JsonValue>(value: Value, pointer: string): Value {
  if (pointer === '') throw new PointerError(pointer, 'the whole value cannot be removed')
  return change(value, pointerParts(pointer), pointer, undefined) as Value // a part of the value
}

/** `to`: undefined to remove the value at the end of the parts. */
function change(
  value: JsonValue,
  [head, ...rest]: readonly string[],
  pointer: string,
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (head === undefined) return to
  const inner = (old: JsonValue | undefined, name: string): JsonValue | undefined => {
    if (old !== undefined) return change(old, rest, pointer, to)
    if (rest.length > 0) throw new PointerError(pointer, `the member ${name} does not exist`)
    if (to === undefined) throw new PointerError(pointer, 'the member to remove does not exist')
    return to
  }
  if (Array.isArray(value)) {
    // `-` is the index one past the end.
    const at = head === '-' ? value.length : isIndex(head) ? Number(head) : Number.NaN
    if (Number.isNaN(at) || at > value.length) throw new PointerError(pointer, `the list has ${value.length} items`)
    const edited = inner(value[at], String(at))
    return edited === undefined ? value.toSpliced(at, 1) : value.toSpliced(at, 1, edited)
  }
  if (!isJsonObject(value)) throw new PointerError(pointer, `the member ${head} does not exist`)
  const edited = inner(Object.hasOwn(value, head) ? value[head] : undefined, head)
  const copy = Object.fromEntries(Object.entries(value).filter(([name]) => name !== head || edited !== undefined))
  // Assignment to __proto__ would set the prototype.
  if (edited !== undefined)
    Object.defineProperty(copy, head, { value: edited, enumerable: true, configurable: true, writable: true })
  return copy
}
