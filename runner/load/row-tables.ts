/**
 * Tables of rows: `for-each` stands for one row per place and value, each with one edit more than the row itself. They are
 * written out before anything is read, so that all the rest of the loader sees plain rows.
 */

import { suggestion } from '../../interface/suggest.js'
import type { FindingList } from './finding-list.js'
import { type Entry, entriesOf, entry, itemsOf, type Located, member, optionalText, textAt, textOf } from './located.js'

/** The rows with their tables written out; a row of a table stands where its place stands in the file. */
export const withoutTables = (rows: readonly Located[], findings: FindingList): Located[] =>
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
  return entriesOf(member(table, 'places')).flatMap((place) => {
    const pointer = textAt(place.value, 'at')
    const without = itemsOf(member(place.value, 'without'))
    for (const name of without) refuseUnknown(name, values, findings)
    const left = new Set(without.map(textOf))
    const edits = values
      .filter(({ name }) => !left.has(name))
      .map((value) => writtenRow(row, place, value.name, edited(row, { ...value, name: pointer })))
    return isMissing ? [...edits, writtenRow(row, place, 'missing', removed(row, pointer, place.key))] : edits
  })
}

function refuseUnknown(name: Located, values: readonly Entry[], findings: FindingList): void {
  const known = values.map((value) => value.name)
  if (known.includes(textOf(name))) return
  findings.add(name.place, `the table has no value "${textOf(name)}"`, suggestion(textOf(name), known))
}

/** What the row says, what its place says instead, and the difference that makes it a row of its own. */
function writtenRow(row: Located, { name, key, value: place }: Entry, what: string, difference: Entry): Located {
  const prefix = optionalText(row, 'id')
  const parts = [...(prefix === undefined ? [] : [prefix]), name, what]
  const id: Entry = { name: 'id', key, value: { place: key, content: parts.join('-') } }
  const own = entriesOf(place).filter((said) => said.name !== 'at' && said.name !== 'without')
  const replaced = new Set(own.flatMap((said) => (outcomes.has(said.name) ? [...outcomes] : [said.name])))
  const kept = entriesOf(row).filter((said) => said.name !== 'for-each' && !replaced.has(said.name))
  return { place: key, content: mapOf([...kept, ...own, id, difference]) }
}

/** To be accepted and to be refused are said in two ways, and are one thing. */
const outcomes: ReadonlySet<string> = new Set(['accepted', 'refused'])

function edited(row: Located, edit: Entry): Entry {
  return {
    name: 'edit',
    key: edit.key,
    value: { place: edit.key, content: mapOf([...entriesOf(member(row, 'edit')), edit]) },
  }
}

function removed(row: Located, pointer: string, place: Entry['key']): Entry {
  return {
    name: 'remove',
    key: place,
    value: { place, content: [...itemsOf(member(row, 'remove')), { place, content: pointer }] },
  }
}

const mapOf = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.name, one]))
