/** A row with `for-each` becomes one row for each member and value. */
import { suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { FindingList } from '../yaml/finding-list.js'
import { dataOf, type Entry, entriesOf, entry, itemsOf, type Located, mapOf, member } from '../yaml/located.js'

type RowNode = Located<Shapes['row']>

/** An expanded row has the location of its member. */
export const expandTables = (rows: readonly RowNode[], findings: FindingList): RowNode[] =>
  rows.flatMap((row) => {
    const table = entry(row, 'for-each')
    if (!table) return [row]
    const expanded = rowsOf(row, table.value, findings)
    if (expanded.length === 0) findings.add(table.key, 'this table has no rows', 'add "values" or "missing: true"')
    return expanded
  })

function rowsOf(row: RowNode, table: Located<Shapes['for-each']>, findings: FindingList): RowNode[] {
  const values: Entry<Data>[] = entriesOf(member(table, 'values'))
  const known = values.map(({ name }) => name)
  const missing = member(table, 'missing')
  return entriesOf(member(table, 'members')).flatMap((one) => {
    const { at, without = [] } = dataOf(one.value)
    for (const item of itemsOf(member(one.value, 'without'))) {
      const name = dataOf(item)
      if (known.includes(name)) continue
      findings.add(item.location, `the table has no value "${name}"`, suggestion(name, known))
    }
    const edits = values
      .filter(({ name }) => !without.includes(name))
      .map((value) => expandedRow(row, one, value.name, edited(row, { ...value, name: at })))
    return missing ? [...edits, expandedRow(row, one, 'missing', removed(row, at, one.key))] : edits
  })
}

/** Members of `one` override those of the row. */
function expandedRow(
  row: RowNode,
  { name, key, value: one }: Entry<Shapes['member']>,
  what: string,
  difference: Entry,
): RowNode {
  const content = [member(row, 'id')?.content, name, what].filter((part) => part !== undefined).join('-')
  const id: Entry = { name: 'id', key, value: { location: key, content } }
  const own = entriesOf(one).filter((entry) => entry.name !== 'at' && entry.name !== 'without')
  const kept = entriesOf(row).filter((entry) => entry.name !== 'for-each')
  return { location: key, content: mapOf([...kept, ...own, id, difference]) }
}

function edited(row: RowNode, edit: Entry): Entry {
  const content = mapOf([...entriesOf(member(row, 'edit')), edit])
  return { name: 'edit', key: edit.key, value: { location: edit.key, content } }
}

function removed(row: RowNode, pointer: string, location: Entry['key']): Entry {
  const content = [...itemsOf(member(row, 'remove')), { location, content: pointer }]
  return { name: 'remove', key: location, value: { location, content } }
}
