/** JSON pointers (RFC 6901). */
import { isJsonObject, type JsonValue } from './json.js'

/** Unescaped. */
export function pointerParts(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The name of a member as a part of a pointer. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** `01` and `1e0` are no indices. */
export const isIndex = (part: string): boolean => /^(?:0|[1-9]\d*)$/.test(part)

/** Undefined if absent or inherited. */
export function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let node = value
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(node)) node = isIndex(part) ? node[Number(part)] : undefined
    else if (isJsonObject(node) && Object.hasOwn(node, part)) node = node[part]
    else return undefined
  }
  return node
}
