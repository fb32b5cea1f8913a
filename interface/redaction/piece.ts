/**
 * The next UTF-16 units of a reading, and the places in the text between which each of them was written. It is used again for
 * the units after them: nothing may keep it.
 */
export interface Piece {
  readonly codes: Uint16Array
  readonly from: Int32Array
  readonly to: Int32Array
  length: number
}

/** No piece has more units. */
export const longestPiece = 4096

/** `capacity` in units: most texts are short, and memory for the longest piece would cost more than looking through them. */
export const emptyPiece = (capacity = longestPiece): Piece => ({
  codes: new Uint16Array(capacity),
  from: new Int32Array(capacity),
  to: new Int32Array(capacity),
  length: 0,
})

/** Takes a reading, piece by piece. */
export interface Reader {
  take(piece: Piece): void
  /** There is no more. To be called once. */
  end(): void
}
