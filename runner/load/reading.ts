import type { Shapes } from '../suite/shapes.js'
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

export interface Reference {
  kind: ReferenceKind
  name: string
  location: Location
}

export interface Reading {
  findings: FindingList
  references: Reference[]
  sequences: ReadonlyMap<string, { steps: readonly Located<Shapes['step']>[]; location: Location }>
  flows: VariableFlow[]
  requestUses: Map<string, Use[]>
}

/** Returns the name. */
export function refer(reading: Reading, kind: ReferenceKind, node: Located): string
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined {
  if (!node) return undefined
  const name = textOf(node)
  reading.references.push({ kind, name, location: node.location })
  return name
}

/** Reports and ignores a second value. */
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

/** From the outermost ancestor. Undefined for an unknown ancestor or a cycle. */
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
