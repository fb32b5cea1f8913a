/** What a record states otherwise than a run that is derived from its exchanges. */
import { isDeepStrictEqual } from 'node:util'

export interface Difference {
  /** Of the record, such as `rows[SAW-SIMPLE/one].verdict`. */
  path: string
  /** As JSON; undefined: absent. */
  recorded: unknown
  derived: unknown
}

/** Redaction replaced a value, or a part of it. */
export const isRedacted = ({ recorded }: Difference): boolean =>
  typeof recorded === 'string' && recorded.includes('[redacted')

/** Each differing leaf. A member without a value is absent, as in JSON. */
export function compareValues(path: string, recorded: unknown, derived: unknown): Difference[] {
  if (isDeepStrictEqual(recorded, derived)) return []
  if (Array.isArray(recorded) && Array.isArray(derived)) return compareLists(path, recorded, derived)
  if (!isMembers(recorded) || !isMembers(derived)) return [{ path, recorded, derived }]
  const names = new Set([...Object.keys(recorded), ...Object.keys(derived)])
  return [...names].flatMap((name) => compareValues(`${path}.${name}`, own(recorded, name), own(derived, name)))
}

function compareLists(path: string, recorded: readonly unknown[], derived: readonly unknown[]): Difference[] {
  const [one, other] = [recorded, derived].map((list) => list.map(idOf))
  const isNamed = one?.every((id) => id !== undefined) && other?.every((id) => id !== undefined)
  if (!isNamed || new Set(one).size < recorded.length) {
    const length = Math.max(recorded.length, derived.length)
    return Array.from({ length }).flatMap((_, index) =>
      compareValues(`${path}[${index}]`, recorded[index], derived[index]),
    )
  }
  const byId = new Map(derived.map((item) => [idOf(item), item]))
  const known = new Map(recorded.map((item) => [idOf(item), item]))
  const ids = new Set([...known.keys(), ...byId.keys()])
  const found = [...ids].flatMap((id) => compareValues(`${path}[${id}]`, known.get(id), byId.get(id)))
  return found.length > 0 ? found : [{ path, recorded: one, derived: other }]
}

const idOf = (item: unknown): string | undefined => {
  const id = isMembers(item) ? item['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined)
