/** Prepared transactions as a live participant made them, with the hashes that it gave: test/recordings/vectors.json. */
import { readFileSync } from 'node:fs'

interface Vector {
  note: string
  protocolVersion: number
  /** As requests name it. */
  scheme: string
  /** Base64, as the hash behind it. */
  preparedTransaction: string
  preparedTransactionHash: string
  /** Hex. */
  externalTransactionHash: string
}

export const vectors = JSON.parse(
  readFileSync(new URL('../../../../test/recordings/vectors.json', import.meta.url), 'utf8'),
) as [Vector, Vector, ...Vector[]] // our own data, in this form
