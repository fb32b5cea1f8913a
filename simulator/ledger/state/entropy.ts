import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../interface/crypto-hash.js'
import { inOnePiece } from '../../base/strings.js'

/** Injected, so that a seed reproduces a run. */
export interface Entropy {
  bytes(length: number): Buffer
  hex(length: number): string
  uuid(): string
}

export interface EntropyState {
  seed: string
  /** Blocks drawn so far. A new seed does not reset it, so ids never repeat. */
  counter: number
}

export interface SeededEntropy extends Entropy {
  readonly state: EntropyState
}

/** Without a seed, draws one. */
export function createEntropy(seed: string = randomBytes(16).toString('hex')): SeededEntropy {
  const state = { seed, counter: 0 }
  const bytes = (length: number): Buffer => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32) {
      state.counter += 1
      blocks.push(sha256(`${state.seed}/${state.counter}`))
    }
    const [first] = blocks
    return first && length === 32 ? first : Buffer.concat(blocks).subarray(0, length)
  }
  const hex = (length: number): string => bytes(length).toString('hex')
  const uuid = (): string => {
    const text = hex(16)
    const variant = ((Number.parseInt(text.slice(16, 17), 16) & 3) | 8).toString(16)
    return inOnePiece(
      `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20, 32)}`,
    )
  }
  return { state, bytes, hex, uuid }
}

/** An execution must reproduce the prepared ids, so they depend only on root seeds and prepared bytes. */
export interface Seeding {
  /** 32 bytes; `position` counts root nodes. */
  root(position: number): Buffer
  /** Time of preparation or submission, in microseconds since 1970. */
  preparedAt: bigint
  /** Hex of 32 random bytes for the suffix of a contract id; not part of prepared transactions. */
  salt(): string
}

export const freshSeeding = (entropy: Entropy, preparedAt: bigint): Seeding => ({
  root: () => entropy.bytes(32),
  preparedAt,
  salt: () => entropy.hex(32),
})

/** `position` counts seeded nodes directly below the exercise. */
export const childSeed = (parent: Buffer, position: number): Buffer =>
  sha256(Buffer.concat([child, parent, Buffer.from(String(position))]))

const child = Buffer.from('child')

/** 32 bytes of a contract id, as hex. */
export function discriminator(seed: Buffer, preparedAt: bigint, stakeholders: readonly string[]): string {
  const content = JSON.stringify([String(preparedAt), stakeholders.toSorted()])
  return sha256(Buffer.concat([contract, seed, Buffer.from(content)])).toString('hex')
}

const contract = Buffer.from('contract')
