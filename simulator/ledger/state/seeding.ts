/**
 * Where node seeds and contract ids come from. Whoever executes a prepared transaction interprets it again and must arrive at
 * the same ids, so they follow from the seeds of the root nodes and from what stands in the prepared bytes - nothing else.
 */
import { sha256 } from '../../../lib/sha256.js'
import type { Entropy } from './entropy.js'

export interface Seeding {
  /** 32 bytes for the root node with that position among the roots. */
  root(position: number): Buffer
  /** Microseconds since 1970 at which the transaction was prepared, or submitted. */
  preparedAt: bigint
  /** Hex of 32 random bytes that go into the suffix of a contract id; they show in no prepared transaction. */
  salt(): string
}

/** Fresh seeds for a transaction that comes into being now. */
export const freshSeeding = (entropy: Entropy, preparedAt: bigint): Seeding => ({
  root: () => entropy.bytes(32),
  preparedAt,
  salt: () => entropy.hex(32),
})

/** The seed of a create or exercise below an exercise; `position` counts the seeded nodes directly below it. */
export const childSeed = (parent: Buffer, position: number): Buffer =>
  sha256(Buffer.concat([child, parent, Buffer.from(String(position))]))

const child = Buffer.from('child')

/** The random-looking part of a contract id: 32 bytes as hex. */
export function discriminator(seed: Buffer, preparedAt: bigint, stakeholders: readonly string[]): string {
  const content = JSON.stringify([String(preparedAt), stakeholders.toSorted()])
  return sha256(Buffer.concat([contract, seed, Buffer.from(content)])).toString('hex')
}

const contract = Buffer.from('contract')
