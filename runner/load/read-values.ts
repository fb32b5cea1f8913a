/** Variables that files, cases and rows set with `let`: what stands nearer replaces what stands farther away. */
import type { Data } from '../../record/types/resolved-row.js'
import { dataOf, type Entry, entriesOf, type Located, member } from '../yaml/located.js'
import type { Reading } from './reading.js'
import { type FlowStep, usesIn } from './variable-flow.js'

/** What the nodes set, those behind in front of those before: a file and its case, or a fixture. */
export const valuesOf = (...nodes: Located[]): Map<string, Entry> =>
  new Map(nodes.flatMap((node) => entriesOf(member(node, 'let')).map((item) => [item.name, item])))

/** All values of one row. A row that sets what its case does not is a finding: other rows would lack it. */
export function valuesOfRow(
  row: Located | undefined,
  ofCase: ReadonlyMap<string, Entry>,
  { findings }: Reading,
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
