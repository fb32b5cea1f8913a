/** State of reading a suite. */
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { type Located, textOf } from '../yaml/located.js'
import type { Use, VariableFlow } from './variable-flow.js'

export type ReferenceKind =
  | 'rule'
  | 'situation'
  | 'profile'
  | 'request'
  | 'sequence'
  | 'actor'
  | 'token'
  | 'probe'
  | 'party'
  | 'format'

/** A use of a name, checked after all files are read. */
export interface Reference {
  kind: ReferenceKind
  name: string
  location: Location
}

/** Findings, and data for the checks across files. */
export interface Reading {
  findings: FindingList
  references: Reference[]
  /** Steps of sequences.yaml by name. */
  sequences: ReadonlyMap<string, { steps: readonly Located[]; location: Location }>
  flows: VariableFlow[]
  /** Variables by base request. */
  requestUses: Map<string, Use[]>
}

/** Returns the string and records it as a reference. */
export function refer(reading: Reading, kind: ReferenceKind, node: Located): string
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined {
  if (!node) return undefined
  const name = textOf(node)
  reading.references.push({ kind, name, location: node.location })
  return name
}

/** Reports a second value with the same name and ignores it. */
export function addUnique<Value extends { location: Location }>(
  map: Map<string, Value>,
  name: string,
  value: Value,
  what: string,
  findings: FindingList,
): void {
  const first = map.get(name)
  if (first) findings.add(value.location, `the ${what} "${name}" is already defined`, firstAt(first.location))
  else map.set(name, value)
}

const firstAt = ({ file, line, column }: Location): string => `the first one is at ${file}:${line}:${column}`

/** From the outermost ancestor to `start`. Undefined for an unknown ancestor, and for a cycle, which `reportCycle` receives. */
export function lineageOf<Value extends { name: string }>(
  start: Value,
  parentName: (value: Value) => string | undefined,
  byName: ReadonlyMap<string, Value>,
  reportCycle: (cycle: string) => void,
): Value[] | undefined {
  const lineage = [start]
  for (let name = parentName(start); name !== undefined; ) {
    const parent = byName.get(name)
    if (!parent) return undefined
    lineage.unshift(parent)
    if (parent === start)
      reportCycle(
        lineage
          .map((one) => one.name)
          .reverse()
          .join(' -> '),
      )
    if (lineage.indexOf(parent, 1) > 0) return undefined
    name = parentName(parent)
  }
  return lineage
}
