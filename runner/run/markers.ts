/** The text by which a row marks everything that it sends, so that its effects are found on a ledger that other clients use as well. */
import { createHash } from 'node:crypto'

/** What all markers of a run match. */
export const markersOf = (run: string): RegExp => new RegExp(`${run}-[0r]\\d{5}-[0-9a-f]{6}`)

interface MarkedRow {
  /** Ids of the run and of the row. */
  run: string
  row: string
  seed: string
  /** Where the row stands in the order of the run. */
  index: number
  /** Whether the row is sent again after an outage. */
  again: boolean
}

/**
 * Its last six digits follow from the seed and the row. So what a row sends, and what the target must return of it, is not known
 * before the seed is: a recorded run answers no other one. The width is fixed, so no marker begins another one.
 */
export const markerOf = ({ run, row, seed, index, again }: MarkedRow): string =>
  `${run}-${again ? 'r' : '0'}${String(index).padStart(5, '0')}-${drawnOf({ row, seed })}`

/** Whether a row of that run bears the marker, wherever it stood in the order. */
export const isMarkerOf = (marker: string, row: Pick<MarkedRow, 'run' | 'row' | 'seed'>): boolean =>
  new RegExp(`^${markersOf(row.run).source}$`).test(marker) && marker.endsWith(`-${drawnOf(row)}`)

const drawnOf = ({ row, seed }: Pick<MarkedRow, 'row' | 'seed'>): string =>
  createHash('sha256').update(`${seed} ${row}`).digest('hex').slice(0, 6)
