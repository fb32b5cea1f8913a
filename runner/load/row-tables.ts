/** Replaces each row with `for-each` by one row for each member and value, with one additional edit. */
import { suggestion } from '../../lib/suggest.js'
import type { FindingList } from '../yaml/finding-list.js'
import {
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  mapOf,
  member,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'

/** An expanded row has the location of its member. */
export const expandTables = (rows: readonly Located[], findings: FindingList): Located[] =>
  rows.flatMap((row) => {
    const table = entry(row, 'for-each')
    if (!table) return [row]
    const expanded = rowsOf(row, table.value, findings)
    if (expanded.length === 0) findings.add(table.key, 'this table has no rows', 'add "values" or "missing: true"')
    return expanded
  })

function rowsOf(row: Located, table: Located, findings: FindingList): Located[] {
  const values = entriesOf(member(table, 'values'))
  const isMissing = member(table, 'missing')?.content === true
  return entriesOf(member(table, 'members')).flatMap((one) => {
    const pointer = textAt(one.value, 'at')
    const without = itemsOf(member(one.value, 'without'))
    for (const name of without) reportUnknown(name, values, findings)
    const omitted = new Set(without.map(textOf))
    const edits = values
      .filter(({ name }) => !omitted.has(name))
      .map((value) => expandedRow(row, one, value.name, edited(row, { ...value, name: pointer })))
    return isMissing ? [...edits, expandedRow(row, one, 'missing', removed(row, pointer, one.key))] : edits
  })
}

function reportUnknown(name: Located, values: readonly Entry[], findings: FindingList): void {
  const known = values.map((value) => value.name)
  if (known.includes(textOf(name))) return
  findings.add(name.location, `the table has no value "${textOf(name)}"`, suggestion(textOf(name), known))
}

/** Members of `one` override those of the row. */
function expandedRow(row: Located, { name, key, value: one }: Entry, what: string, difference: Entry): Located {
  const prefix = optionalText(row, 'id')
  const parts = [...(prefix === undefined ? [] : [prefix]), name, what]
  const id: Entry = { name: 'id', key, value: { location: key, content: parts.join('-') } }
  const own = entriesOf(one).filter((entry) => entry.name !== 'at' && entry.name !== 'without')
  const kept = entriesOf(row).filter((entry) => entry.name !== 'for-each')
  return { location: key, content: mapOf([...kept, ...own, id, difference]) }
}

function edited(row: Located, edit: Entry): Entry {
  return {
    name: 'edit',
    key: edit.key,
    value: { location: edit.key, content: mapOf([...entriesOf(member(row, 'edit')), edit]) },
  }
}

function removed(row: Located, pointer: string, location: Entry['key']): Entry {
  return {
    name: 'remove',
    key: location,
    value: { location, content: [...itemsOf(member(row, 'remove')), { location, content: pointer }] },
  }
}
