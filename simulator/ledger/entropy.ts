import { createHash, randomBytes } from 'node:crypto'

/** Source of everything random. Injected, so that a seed repeats a whole run. */
export interface Entropy {
  bytes(length: number): Buffer
  hex(length: number): string
  uuid(): string
}

/** A stream of bytes that depends on nothing but the seed; without one, a fresh seed is drawn. */
export function createEntropy(seed: string = randomBytes(16).toString('hex')): Entropy {
  let counter = 0
  const bytes = (length: number): Buffer => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32) {
      counter += 1
      blocks.push(createHash('sha256').update(`${seed}/${counter}`).digest())
    }
    return Buffer.concat(blocks).subarray(0, length)
  }
  const hex = (length: number): string => bytes(length).toString('hex')
  const uuid = (): string => {
    const text = hex(16)
    const variant = ((Number.parseInt(text.slice(16, 17), 16) & 3) | 8).toString(16)
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20, 32)}`
  }
  return { bytes, hex, uuid }
}
