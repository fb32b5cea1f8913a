/** Unique strings in all requests of a row, to find its effects. */
import { createHash } from 'node:crypto'
import { literal } from '../template/pattern.js'

/** A record may state any id. */
const markersOf = (run: string): RegExp => new RegExp(`${literal(run)}-[0r]\\d{5}-[0-9a-f]{6}`)

interface MarkedRow {
  run: string
  row: string
  seed: string
  index: number
  /** Sent again after an outage. */
  again: boolean
}

/** Recorded answers do not fit another seed. The width is fixed, so no marker is a prefix of another. */
export const markerOf = ({ run, row, seed, index, again }: MarkedRow): string =>
  `${run}-${again ? 'r' : '0'}${String(index).padStart(5, '0')}-${digitsOf({ row, seed })}`

const digitsOf = ({ row, seed }: { row: string; seed: string }): string =>
  createHash('sha256').update(`${seed} ${row}`).digest('hex').slice(0, 6)

/** Characters. A record may state any mark, and V8 compiles no regular expression with a much longer one. */
const longestMark = 1000

/** Markers of the run, and of presigned transactions, in any text. */
export const anyMarker = (run: string, marks: readonly string[]): RegExp => {
  const usual = markersOf(run)
  const others = [...new Set(marks)].filter((mark) => mark.length <= longestMark && !usual.test(mark))
  return new RegExp([usual.source, ...others.map(literal)].join('|'), 'g')
}
