/** Hashes, keys and signatures that others computed, and the hashes of this project for the same bytes. */
import { readFileSync } from 'node:fs'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'

export interface Prepared {
  preparedTransaction: string
  preparedTransactionHash: string
}

interface Published {
  prepared: (Prepared & { note: string })[]
  topology: { note: string; transaction: string; hash: string }[]
  /** `of`: indices of topology transactions. */
  multiHashes: { of: number[]; hash: string }[]
  fingerprints: { key: string; fingerprint: string }[]
  notFingerprints: string[]
  signature: { seed: string; publicKey: string; fingerprint: string; message: string; signature: string }
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../test/recordings/${name}`, import.meta.url), 'utf8'))

export const published = read('published-vectors.json') as Published // our own data, in this form
export const recordedTopology = read('topology.json') as { topologyTransactions: string[]; multiHash: string }[] // as above
export const reference = read('reference-hashes.json') as Record<'V2' | 'V3', { bytes: string }> // as above

export const base64 = (text: string): Buffer => Buffer.from(text, 'base64')
export const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** `bytes`: an encoded prepared transaction in base64, as is the hash. */
export const hashHere = (bytes: string): string =>
  hashPreparedTransaction(decodePreparedTransaction(base64(bytes)), 'V2').toString('base64')
