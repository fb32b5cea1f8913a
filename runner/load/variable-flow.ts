import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { dataOf, type Entry, entriesOf, type Located, member } from '../yaml/located.js'

/** A `${variable}` in a text, and where the text stands. */
export interface Use {
  name: string
  location: Location
}

/** Steps in the order in which they are sent. */
export interface VariableFlow {
  steps: FlowStep[]
  /** The fixture that is made by them. */
  fixture?: string
  /** The probe whose first steps come before. */
  probe?: string
  /** These are the steps of this very probe. */
  ofProbe?: string
}

export interface FlowStep {
  /** The base request, whose own variables must be known too; undefined where the step replaces its body. */
  request?: Use
  /** What is needed to send the step. */
  uses: Use[]
  /** It is sent several times at once, and knows which time it is. */
  repeated?: true
  captures: Use[]
  /** What is needed to judge it: what it captured itself may be among it. */
  judging: Use[]
}

const variable = /\$\{([^{}]*)\}/g

/** All variables in a value, names of members included. */
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

/** What the nodes set, those behind in front of those before: a file and its case, or a fixture. */
export const valuesOf = (...nodes: Located[]): Map<string, Entry> =>
  new Map(nodes.flatMap((node) => entriesOf(member(node, 'let')).map((item) => [item.name, item])))

/** All values of one row. A row that sets what its case does not is a finding: other rows would lack it. */
export function valuesOfRow(
  row: Located | undefined,
  ofCase: ReadonlyMap<string, Entry>,
  { findings }: { findings: FindingList },
): Map<string, Data> {
  const own = entriesOf(row && member(row, 'let'))
  for (const { name, key } of own) {
    if (!ofCase.has(name)) findings.add(key, `only this row sets "${name}"`, 'let the case or the file set it first')
  }
  return new Map([...ofCase.values(), ...own].map(({ name, value }) => [name, dataOf(value)]))
}

/** Setting variables, as steps before all others that capture one each: a value may speak of those before it. */
export const valueSteps = (ofCase: ReadonlyMap<string, Entry>, rows: readonly Located[] = []): FlowStep[] =>
  [...ofCase.values()].map(({ name, key, value }) => {
    const ofRows = rows.flatMap((row) => entriesOf(member(row, 'let')).filter((own) => own.name === name))
    const values = [value, ...ofRows.map((own) => own.value)]
    return { uses: values.flatMap(usesIn), captures: [{ name, location: key }], judging: [] }
  })
