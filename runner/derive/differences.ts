/** What a record states otherwise than a run that is derived from its exchanges. */
import type { Evidence, RunRow } from '../../record/types/record.js'

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

/** The derived row has the times of the recorded one, except for unsent requests. */
export const compareRow = (row: RunRow, derived: RunRow): Difference[] =>
  row === derived ? [] : compareValues(`rows[${row.id}]`, compared(row), compared(derived))

const compared = ({ evidence, ...row }: RunRow): RunRow => ({ ...row, evidence: evidence.map(withoutTimes) })

const withoutTimes = (one: Evidence): Evidence =>
  one.problem?.code === 'not-sent' ? { ...one, startedAt: '', milliseconds: 0 } : one

/** Each differing leaf. A member without a value is absent, as in JSON. */
export function compareValues(path: string, recorded: unknown, derived: unknown): Difference[] {
  const found: Difference[] = []
  collect(path, recorded, derived, found)
  return found
}

function collect(path: string, recorded: unknown, derived: unknown, found: Difference[]): void {
  if (Object.is(recorded, derived)) return
  if (Array.isArray(recorded) && Array.isArray(derived)) collectItems(path, recorded, derived, found)
  else if (isMembers(recorded) && isMembers(derived)) {
    for (const name of Object.keys(recorded)) collect(`${path}.${name}`, recorded[name], own(derived, name), found)
    for (const name of Object.keys(derived))
      if (!Object.hasOwn(recorded, name)) collect(`${path}.${name}`, undefined, derived[name], found)
  } else found.push({ path, recorded, derived })
}

/** Items with an id keep their path if the order differs. */
function collectItems(
  path: string,
  recorded: readonly unknown[],
  derived: readonly unknown[],
  found: Difference[],
): void {
  const [one, other] = [recorded.map(idOf), derived.map(idOf)]
  const isNamed = ![...one, ...other].includes(undefined) && new Set(one).size === one.length
  if (!isNamed) {
    for (let index = 0; index < Math.max(one.length, other.length); index += 1)
      collect(`${path}[${index}]`, recorded[index], derived[index], found)
    return
  }
  const before = found.length
  const [known, again] = [recorded, derived].map((list) => new Map(list.map((item) => [idOf(item), item])))
  for (const id of new Set([...one, ...other])) collect(`${path}[${id}]`, known?.get(id), again?.get(id), found)
  if (found.length === before && one.join() !== other.join()) found.push({ path, recorded: one, derived: other })
}

const idOf = (item: unknown): string | undefined => {
  const id = isMembers(item) ? item['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined)
