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

/** A name that something else must have. */
export interface Reference {
  kind: ReferenceKind
  name: string
  location: Location
}

/** What reading collects beside the values: findings, and what can be checked only when every file has been read. */
export interface Reading {
  findings: FindingList
  references: Reference[]
  /** The steps that stand under each name of sequences.yaml. */
  sequences: ReadonlyMap<string, { steps: readonly Located[]; location: Location }>
  /** Steps in the order in which they are sent, with the variables that they use and capture. */
  flows: VariableFlow[]
  /** Variables in base requests, by the name of the request. */
  requestUses: Map<string, Use[]>
}

/** Takes the text as a name of that kind, to be looked up later; undefined stays undefined. */
export function refer(reading: Reading, kind: ReferenceKind, node: Located): string
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined
export function refer(reading: Reading, kind: ReferenceKind, node: Located | undefined): string | undefined {
  if (!node) return undefined
  const name = textOf(node)
  reading.references.push({ kind, name, location: node.location })
  return name
}

/** Adds a value under its name; a name that is taken already is a finding and changes nothing. */
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

export const firstAt = ({ file, line, column }: Location): string => `the first one is at ${file}:${line}:${column}`
