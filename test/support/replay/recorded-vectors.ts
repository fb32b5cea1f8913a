/** Recorded from a live participant, with its hashes. */
import { readFileSync } from 'node:fs'

interface Vector {
  note: string
  protocolVersion: number
  scheme: string
  /** Base64. */
  preparedTransaction: string
  preparedTransactionHash: string
  /** Hex. */
  externalTransactionHash: string
}

export const vectors = JSON.parse(
  readFileSync(new URL('../../../../test/recordings/vectors.json', import.meta.url), 'utf8'),
) as [Vector, Vector, ...Vector[]] // our own data, in this form
