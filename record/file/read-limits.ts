/** They bound the memory and the time for records that would exhaust the reader. */
export interface ReadLimits {
  /** Bytes of the text of a compressed record. */
  text: number
  lines: number
  /** Characters of all texts together. It bounds a record whose texts multiply a text. */
  texts: number
  /** Characters of all references to texts. It bounds a record whose lines multiply a text. */
  references: number
}

/** A run of the whole suite writes 5,000 lines, and less than the other limits. */
export const usualLimits: ReadLimits = {
  text: 512 * 1024 * 1024,
  lines: 200_000,
  texts: 192 * 1024 * 1024,
  references: 512 * 1024 * 1024,
}
