import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { pointerParts, removeAt, setAt } from './pointer.js'
import { isGenerator, isWholeVariable } from './variables.js'

/** Throws `PointerError`. */
export const applyEdit = <Value extends JsonValue>(
  value: Value,
  edit: { at: string; set: Value } | { at: string; remove: true },
): Value => ('set' in edit ? setAt(value, edit.at, edit.set) : removeAt(value, edit.at))

export function isGeneratedAt(template: Data, pointer: string): boolean {
  let node: Data | undefined = template
  for (const part of pointerParts(pointer)) {
    if (isWholeVariable(node) || isGenerator(node)) return true
    if (Array.isArray(node)) node = node[Number(part)]
    else if (typeof node === 'object' && node !== null && Object.hasOwn(node, part)) node = node[part]
    else return false
  }
  return false
}
