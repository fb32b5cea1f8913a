/** Markers: unique strings in all requests of a row, to find its effects on a shared ledger. */
import { createHash } from 'node:crypto'

/** Matches all markers of a run. */
export const markersOf = (run: string): RegExp => new RegExp(`${run}-[0r]\\d{5}-[0-9a-f]{6}`)

interface MarkedRow {
  run: string
  row: string
  seed: string
  /** Position in the order of the run. */
  index: number
  /** The row is sent again after an outage. */
  again: boolean
}

/**
 * The last six digits derive from seed and row, so recorded answers do not fit a run with another seed. The width is fixed, so no
 * marker is a prefix of another.
 */
export const markerOf = ({ run, row, seed, index, again }: MarkedRow): string =>
  `${run}-${again ? 'r' : '0'}${String(index).padStart(5, '0')}-${digitsOf({ row, seed })}`

/** True for any position of the row. */
export const isMarkerOf = (marker: string, row: Pick<MarkedRow, 'run' | 'row' | 'seed'>): boolean =>
  new RegExp(`^${markersOf(row.run).source}$`).test(marker) && marker.endsWith(`-${digitsOf(row)}`)

const digitsOf = ({ row, seed }: Pick<MarkedRow, 'row' | 'seed'>): string =>
  createHash('sha256').update(`${seed} ${row}`).digest('hex').slice(0, 6)
