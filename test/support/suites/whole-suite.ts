/**
 * The included suite. The loader and the resolver share their results with all tests of a process, so both are frozen: a function or a test that
 * changes them fails.
 */
import { fileURLToPath } from 'node:url'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { ResolvedSuite } from '../../../runner/suite/resolved-suite.js'
import type { Profile, Suite } from '../../../runner/suite/suite.js'

export const suiteFolder = fileURLToPath(new URL('../../../../suites/', import.meta.url))

export const wholeSuite = frozen(await loadSuite(suiteFolder))

export function profileNamed(name: string): Profile {
  const found = wholeSuite.profiles.get(name)
  if (!found) throw new Error(`the suite has no profile ${name}`)
  return found
}

export const resolvedSuite = (profile: string, protocolVersion?: number): ResolvedSuite =>
  frozen(resolveSuite(wholeSuite, profileNamed(profile), protocolVersion))

/** The rows whose id, `CASE/row`, is wanted. */
export const suiteOf = (isWanted: (id: string) => boolean): Suite => ({
  ...wholeSuite,
  cases: wholeSuite.cases.flatMap((one) => {
    const rows = one.rows.filter(({ id }) => isWanted(`${one.id}/${id}`))
    return rows.length > 0 ? [{ ...one, rows }] : []
  }),
})

/** Freezes all members and items. Changes of a map throw. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (value instanceof Map) Object.assign(value, { set: refuse, delete: refuse, clear: refuse })
  Object.freeze(value)
  for (const item of value instanceof Map ? value.values() : Object.values(value)) frozen(item)
  return value
}

function refuse(): never {
  throw new TypeError('this map is shared, so no function may change it')
}
