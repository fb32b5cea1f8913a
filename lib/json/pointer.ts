/** JSON pointers (RFC 6901): what they lead to. */
import { isJsonObject, type JsonValue } from './json.js'

/** The names and indices of a pointer, unescaped. */
export function pointerParts(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** As RFC 6901 has it: `01` and `1e0` are no indices. */
export const isIndex = (part: string): boolean => /^(?:0|[1-9]\d*)$/.test(part)

/** The value at the pointer; undefined when there is none. Inherited members are none. */
export function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let node = value
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(node)) node = isIndex(part) ? node[Number(part)] : undefined
    else if (isJsonObject(node) && Object.hasOwn(node, part)) node = node[part]
    else return undefined
  }
  return node
}
