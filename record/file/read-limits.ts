/** They bound the memory and the time for records that would exhaust the reader. */
export interface ReadLimits {
  /** Bytes of the text of a compressed record. */
  text: number
  /** Bytes of a line; longer lines are skipped. */
  line: number
  lines: number
  /** Objects and arrays around a value. */
  depth: number
}

/** A run of the whole suite writes 70 MB in 2,300 lines, and a row contains at most 8 MiB of bodies. */
export const usualLimits: ReadLimits = {
  text: 512 * 1024 * 1024,
  line: 64 * 1024 * 1024,
  lines: 100_000,
  depth: 100,
}
