/** Uses and definitions of variables in the order of sending. */
import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { dataOf, type Entry, entriesOf, type Located, member } from '../yaml/located.js'

/** A `${variable}` in a string. */
export interface Use {
  name: string
  location: Location
}

export interface VariableFlow {
  steps: FlowStep[]
  /** The fixture that the steps create. */
  fixture?: string
  /** The probe whose first steps are sent before. */
  probe?: string
  /** The probe that consists of these steps. */
  ofProbe?: string
}

export interface FlowStep {
  /** The base request, whose variables must also be defined; undefined if the step replaces its body. */
  request?: Use
  /** Variables of the request. */
  uses: Use[]
  /** A race: `${attempt}` is defined. */
  repeated?: true
  captures: Use[]
  /** Variables of the expectations, which may be captured by the step itself. */
  judging: Use[]
}

const variable = /\$\{([^{}]*)\}/g

/** Includes variables in names of members. */
export function usesIn(node: Located | undefined): Use[] {
  if (!node) return []
  const { content, location } = node
  if (typeof content === 'string') return usesInText(content, location)
  if (Array.isArray(content)) return content.flatMap(usesIn)
  if (!(content instanceof Map)) return []
  return [...content.values()].flatMap(({ name, key, value }) => [...usesInText(name, key), ...usesIn(value)])
}

function usesInText(text: string, location: Location): Use[] {
  return [...text.matchAll(variable)].map(([, name = '']) => ({ name, location }))
}

/** The variables under `let`; later nodes override earlier ones. */
export const valuesOf = (...nodes: Located[]): Map<string, Entry> =>
  new Map(nodes.flatMap((node) => entriesOf(member(node, 'let')).map((item) => [item.name, item])))

/** Reports variables that only the row sets: other rows would lack them. */
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

/** Treats each variable under `let` as a step that captures it; its value may use earlier variables. */
export const valueSteps = (ofCase: ReadonlyMap<string, Entry>, rows: readonly Located[] = []): FlowStep[] =>
  [...ofCase.values()].map(({ name, key, value }) => {
    const ofRows = rows.flatMap((row) => entriesOf(member(row, 'let')).filter((own) => own.name === name))
    const values = [value, ...ofRows.map((own) => own.value)]
    return { uses: values.flatMap(usesIn), captures: [{ name, location: key }], judging: [] }
  })
