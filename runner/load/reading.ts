import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Listed, Location } from '../suite/suite.js'
import type { Reference } from '../yaml/check-shape.js'
import type { FindingList } from '../yaml/findings.js'
import { composed, type Entry, entriesOf, keyLocation, locationOf, placedAt, valueLocation } from '../yaml/locations.js'

export interface Reading {
  findings: FindingList
  references: readonly Reference[]
  profiles: ReadonlyMap<string, Entry<Shapes['profile']>>
  sequences: ReadonlyMap<string, Entry<Shapes['sequences']['sequences'][string]>>
  flows: VariableFlow[]
  requestUses: Map<string, Listed[]>
}

export const listed = (names: readonly string[] = []): Listed[] =>
  names.map((name, index) => ({ name, location: valueLocation(names, index) }))

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
export function lineageOf<Shape extends { extends?: string }>(
  start: Entry<Shape>,
  byName: ReadonlyMap<string, Entry<Shape>>,
  reportCycle: (cycle: string) => void,
): Entry<Shape>[] | undefined {
  const lineage = [start]
  for (let name = start.value.extends; name !== undefined; ) {
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
    name = parent.value.extends
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

/** In a member of a map, also in names of members below. */
export function usesIn(container: object, member: string): Listed[] {
  const value: unknown = Reflect.get(container, member)
  if (typeof value === 'string') return usesInText(value, () => valueLocation(container, member))
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((name) => [
    ...usesInText(name, () => keyLocation(value, name)),
    ...usesIn(value, name),
  ])
}

function usesInText(text: string, location: () => Location): Listed[] {
  return [...text.matchAll(variable)].map(([, name = '']) => ({ name, location: location() }))
}

interface WithValues {
  let?: Values
}

export type Values = Record<string, Data>

/** Values of rows override those of their case, and these override those of the file. */
export function valuesOf(file: WithValues, ofCase?: WithValues): Values {
  const parts = [file.let, ofCase?.let].filter((part) => part !== undefined)
  return composed({ ...file.let, ...ofCase?.let }, [placedAt({}, locationOf(file)), ...parts])
}

/** Other rows would lack variables of one row. */
export function valuesOfRow(own: Values | undefined, ofCase: Values, findings: FindingList): Values {
  for (const { name, location } of entriesOf(own)) {
    if (!Object.hasOwn(ofCase, name))
      findings.add(location, `the row sets "${name}", but its case does not`, 'set it in the case or the file as well')
  }
  return { ...ofCase, ...own }
}

/** A variable under `let` counts as a step that captures it. */
export const valueSteps = (ofCase: Values, rows: readonly WithValues[] = []): FlowStep[] =>
  entriesOf(ofCase).map(({ name, location }) => ({
    uses: [ofCase, ...rows.map((row) => row.let ?? {})].flatMap((values) => usesIn(values, name)),
    captures: [{ name, location }],
    judging: [],
  }))
