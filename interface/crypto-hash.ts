/** SHA-256, and the fingerprints and topology hashes in multihash form. */
import crypto, { createHash } from 'node:crypto'

/** Strings as UTF-8. The single call is several times faster; Node before 20.12 lacks it. */
export const sha256: (data: Buffer | string) => Buffer =
  crypto.hash === undefined
    ? (data) => createHash('sha256').update(data).digest()
    : (data) => Buffer.from(crypto.hash('sha256', data, 'binary'), 'binary')

/** Hashed too, so one hash cannot replace another. */
export const hashPurpose = {
  topologyTransaction: 11,
  publicKeyFingerprint: 12,
  preparedTransaction: 48,
  multiTopology: 55,
} as const

/** Four bytes, big endian. */
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** SHA-256 over the purpose and the parts. */
export function purposeDigest(purpose: number, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(int32(purpose))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** In multihash form: `12 20` and 32 bytes. */
const purposeHash = (purpose: number, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x12, 0x20]), purposeDigest(purpose, ...parts)])

/** Of 32 raw bytes for Ed25519, of the SubjectPublicKeyInfo for other keys. */
export const keyFingerprint = (keyBytes: Buffer): string =>
  purposeHash(hashPurpose.publicKeyFingerprint, keyBytes).toString('hex')

export const topologyHash = (transaction: Buffer): Buffer => purposeHash(hashPurpose.topologyTransaction, transaction)

/** The signed hash of several topology transactions; their order does not matter. */
export function multiTopologyHash(transactions: readonly Buffer[]): Buffer {
  const hashes = transactions.map(topologyHash).sort((a, b) => a.compare(b))
  return purposeHash(
    hashPurpose.multiTopology,
    int32(hashes.length),
    ...hashes.flatMap((hash) => [int32(hash.length), hash]),
  )
}
