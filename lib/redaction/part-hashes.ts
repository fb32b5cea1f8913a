/** Odd, and another one in each process, so that no text is made for it. */
const base = (Math.floor(Math.random() * 2 ** 31) * 2 + 1) | 0

/** The base to the power of the length of a part. */
export function powerFor(length: number): number {
  let power = 1
  for (let step = 0; step < length; step += 1) power = Math.imul(power, base)
  return power
}

export function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  return hash
}

/** Hashes of the parts of one text, each in constant time. The text is read when the first is asked for. */
export class PartHashes {
  readonly #text: string
  #sums: Int32Array | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** `power`: for the length of the part. */
  of(from: number, to: number, power: number): number {
    this.#sums ??= sumsOf(this.#text)
    return ((this.#sums[to] ?? 0) - Math.imul(this.#sums[from] ?? 0, power)) | 0
  }
}

/** The hash of the beginning of each length. */
function sumsOf(text: string): Int32Array {
  const sums = new Int32Array(text.length + 1)
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum = (Math.imul(sum, base) + text.charCodeAt(index)) | 0
    sums[index + 1] = sum
  }
  return sums
}
