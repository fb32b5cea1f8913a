/** Members of answers by path; `*` stands for each item of an array. */
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { type Change, unchanged } from './changes.js'

/** The text does not show the encoding of Daml values: a change alters one value anywhere inside. */
const payloads: ReadonlySet<string> = new Set(['createArgument', 'contractKey', 'viewValue'])

/** Paths of all members, such as `/transaction/events/*`. */
export function* pathsIn(value: JsonValue, path = ''): Generator<string> {
  if (path !== '') yield path
  if (payloads.has(path.split('/').at(-1) ?? '')) return
  if (Array.isArray(value)) for (const item of value) yield* pathsIn(item, `${path}/*`)
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value)) yield* pathsIn(item, `${path}/${name}`)
}

/** The same value if nothing changes. An item of an array is never removed. */
export function changeAt(value: JsonValue, [name, ...rest]: readonly string[], change: Change): JsonValue | undefined {
  if (name === undefined) {
    const changed = change(value)
    return changed === unchanged ? value : changed
  }
  if (name === '*') return Array.isArray(value) ? changedItems(value, rest, change) : value
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: item = null, ...others } = value
  const changed = changeAt(item, rest, change)
  if (changed === undefined) return others
  return changed === item ? value : { ...value, [name]: changed }
}

function changedItems(list: readonly JsonValue[], rest: readonly string[], change: Change): JsonValue {
  const changed = list.map((item) => changeAt(item, rest, change) ?? item)
  return changed.every((item, index) => item === list[index]) ? (list as JsonValue) : changed
}
