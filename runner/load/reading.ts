import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Listed, Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { dataOf, type Entry, entriesOf, type Located, member, textOf } from '../yaml/located.js'

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
  | 'row'

export interface Reference extends Listed {
  kind: ReferenceKind
}

export interface Reading {
  findings: FindingList
  references: Reference[]
  sequences: ReadonlyMap<string, { steps: readonly Located<Shapes['step']>[]; location: Location }>
  flows: VariableFlow[]
  requestUses: Map<string, Listed[]>
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

export interface VariableFlow {
  steps: FlowStep[]
  fixture?: string
  /** Its first steps are sent before. */
  probe?: string
  ofProbe?: string
}

export interface FlowStep {
  /** The base request; undefined if the step replaces its body. */
  request?: Listed
  uses: Listed[]
  /** A race: `${attempt}` is defined. */
  repeated?: true
  captures: Listed[]
  /** May be captured by the step itself. */
  judging: Listed[]
}

const variable = /\$\{([^{}]*)\}/g

/** Also in names of members. */
export function usesIn(node: Located | undefined): Listed[] {
  if (!node) return []
  const { content, location } = node
  if (typeof content === 'string') return usesInText(content, location)
  if (Array.isArray(content)) return content.flatMap(usesIn)
  if (!(content instanceof Map)) return []
  return [...content.values()].flatMap(({ name, key, value }) => [...usesInText(name, key), ...usesIn(value)])
}

function usesInText(text: string, location: Location): Listed[] {
  return [...text.matchAll(variable)].map(([, name = '']) => ({ name, location }))
}

/** Later nodes override earlier ones. */
export const valuesOf = (...nodes: Located[]): Map<string, Entry> =>
  new Map(nodes.flatMap((node) => entriesOf(member(node, 'let')).map((item) => [item.name, item])))

/** Other rows would lack variables of one row. */
export function valuesOfRow(
  row: Located | undefined,
  ofCase: ReadonlyMap<string, Entry>,
  { findings }: { findings: FindingList },
): Map<string, Data> {
  const own = entriesOf(row && member(row, 'let'))
  for (const { name, key } of own) {
    if (!ofCase.has(name))
      findings.add(key, `the row sets "${name}", but its case does not`, 'set it in the case or the file as well')
  }
  return new Map([...ofCase.values(), ...own].map(({ name, value }) => [name, dataOf(value)]))
}

/** A variable under `let` counts as a step that captures it. */
export const valueSteps = (ofCase: ReadonlyMap<string, Entry>, rows: readonly Located[] = []): FlowStep[] =>
  [...ofCase.values()].map(({ name, key, value }) => {
    const ofRows = rows.flatMap((row) => entriesOf(member(row, 'let')).filter((own) => own.name === name))
    const values = [value, ...ofRows.map((own) => own.value)]
    return { uses: values.flatMap(usesIn), captures: [{ name, location: key }], judging: [] }
  })
