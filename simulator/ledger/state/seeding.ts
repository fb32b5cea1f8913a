/** An execution must reproduce the prepared ids, so they depend only on root seeds and prepared bytes. */
import { sha256 } from '../../../interface/crypto-hash.js'
import type { Entropy } from './entropy.js'

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
