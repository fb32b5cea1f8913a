/** Hashes with a purpose, and the multihash form in which fingerprints and topology hashes are printed. */
import { createHash } from 'node:crypto'

/** What a hash is for goes into the hash, so that one can never stand for another. */
export const hashPurpose = {
  topologyTransaction: 11,
  publicKeyFingerprint: 12,
  preparedTransaction: 48,
  multiTopology: 55,
} as const

/** Four bytes, big endian: how lengths, counts and purposes go into every hash. */
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** SHA-256 over the purpose and the parts: 32 bytes. */
export function purposeDigest(purpose: number, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(int32(purpose))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The same in multihash form: `12 20` and 32 bytes. */
const purposeHash = (purpose: number, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x12, 0x20]), purposeDigest(purpose, ...parts)])

/** The fingerprint of a public key: of the raw 32 bytes for Ed25519, of the whole SubjectPublicKeyInfo for other keys. */
export const keyFingerprint = (keyBytes: Buffer): string =>
  purposeHash(hashPurpose.publicKeyFingerprint, keyBytes).toString('hex')

/** The one hash that is signed for several topology transactions, whatever their order. */
export function multiTopologyHash(transactions: readonly Buffer[]): Buffer {
  const hashes = transactions
    .map((bytes) => purposeHash(hashPurpose.topologyTransaction, bytes))
    .sort((a, b) => a.compare(b))
  return purposeHash(
    hashPurpose.multiTopology,
    int32(hashes.length),
    ...hashes.flatMap((hash) => [int32(hash.length), hash]),
  )
}
