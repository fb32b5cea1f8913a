/**
 * Tables of rows: `for-each` stands for one row per member and value, each with one edit more than the row itself. They are
 * written out before anything is read, so that all the rest of the loader sees plain rows.
 */

import { suggestion } from '../../lib/suggest.js'
import type { FindingList } from '../yaml/finding-list.js'
import {
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  member,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'

/** The rows with their tables written out; a row of a table stands where its member stands in the file. */
export const expandTables = (rows: readonly Located[], findings: FindingList): Located[] =>
  rows.flatMap((row) => {
    const table = entry(row, 'for-each')
    if (!table) return [row]
    const written = rowsOf(row, table.value, findings)
    if (written.length === 0) findings.add(table.key, 'this table has no rows', 'give "values", or "missing: true"')
    return written
  })

function rowsOf(row: Located, table: Located, findings: FindingList): Located[] {
  const values = entriesOf(member(table, 'values'))
  const isMissing = member(table, 'missing')?.content === true
  return entriesOf(member(table, 'members')).flatMap((one) => {
    const pointer = textAt(one.value, 'at')
    const without = itemsOf(member(one.value, 'without'))
    for (const name of without) reportUnknown(name, values, findings)
    const left = new Set(without.map(textOf))
    const edits = values
      .filter(({ name }) => !left.has(name))
      .map((value) => expandedRow(row, one, value.name, edited(row, { ...value, name: pointer })))
    return isMissing ? [...edits, expandedRow(row, one, 'missing', removed(row, pointer, one.key))] : edits
  })
}

function reportUnknown(name: Located, values: readonly Entry[], findings: FindingList): void {
  const known = values.map((value) => value.name)
  if (known.includes(textOf(name))) return
  findings.add(name.location, `the table has no value "${textOf(name)}"`, suggestion(textOf(name), known))
}

/** What the row says, what its member says instead, and the difference that makes it a row of its own. */
function expandedRow(row: Located, { name, key, value: one }: Entry, what: string, difference: Entry): Located {
  const prefix = optionalText(row, 'id')
  const parts = [...(prefix === undefined ? [] : [prefix]), name, what]
  const id: Entry = { name: 'id', key, value: { location: key, content: parts.join('-') } }
  const own = entriesOf(one).filter((said) => said.name !== 'at' && said.name !== 'without')
  const kept = entriesOf(row).filter((said) => said.name !== 'for-each')
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

const mapOf = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.name, one]))
