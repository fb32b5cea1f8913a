/** Onboarding transactions of external parties. Field numbers and constants are those of the reference participant 3.5.10. */
import { createPublicKey, verify } from 'node:crypto'
import { keyFingerprint } from '../../../interface/crypto-hash.js'
import { cachedBy } from '../../../lib/made-once.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import {
  bytes,
  MissingPartError,
  message,
  one,
  repeated,
  string,
  uint32,
  uint64,
} from '../../../lib/protobuf/protobuf-message.js'

/** `number` in topology transactions, `digest` (Ed25519 signs the message itself), and Node's name of the curve. */
const keySpecs = {
  SIGNING_KEY_SPEC_EC_CURVE25519: { number: 1, digest: undefined, curve: 'ed25519' },
  SIGNING_KEY_SPEC_EC_P256: { number: 2, digest: 'sha256', curve: 'prime256v1' },
  SIGNING_KEY_SPEC_EC_P384: { number: 3, digest: 'sha384', curve: 'secp384r1' },
  SIGNING_KEY_SPEC_EC_SECP256K1: { number: 4, digest: 'sha256', curve: 'secp256k1' },
} as const

export type KeySpec = keyof typeof keySpecs
export const keySpecNames = Object.keys(keySpecs) as KeySpec[] // the keys of the table above

export interface PartyKey {
  /** DER-encoded SubjectPublicKeyInfo. */
  spki: Buffer
  spec: KeySpec
  fingerprint: string
}

export interface PartyTopology {
  party: string
  keys: PartyKey[]
  /** Number of distinct keys that must sign. */
  threshold: number
}

export const keyFormats = [
  'CRYPTO_KEY_FORMAT_UNSPECIFIED',
  'CRYPTO_KEY_FORMAT_DER',
  'CRYPTO_KEY_FORMAT_RAW',
  'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
] as const

export interface HostingParticipant {
  id: string
  permission: 'confirmation' | 'observation'
}

export interface Hosting {
  participants: readonly HostingParticipant[]
  /** Number of participants that must confirm. */
  threshold: number
}

const permissions = { confirmation: 2n, observation: 3n } as const

const spkiFormat = 4n
const protocolUsages = Buffer.from([1, 5, 4])
const wrapperVersion = 30n

const signingKey = message({ format: one(2, uint64), spki: one(3, bytes), usages: one(5, bytes), spec: one(6, uint32) })

const onboarding = message({
  party: one(1, string),
  threshold: one(2, uint32),
  hosts: repeated(3, message({ id: one(1, string), permission: one(2, uint64) })),
  signing: one(6, message({ keys: repeated(1, signingKey), threshold: one(2, uint64) })),
})

const transaction = message({
  operation: one(1, uint64),
  serial: one(2, uint64),
  mapping: one(3, message({ onboarding: one(9, onboarding) })),
})

const wrapper = message({ transaction: one(1, transaction), version: one(2, uint64) })

/** Points of Ed25519 whose order divides 8, in each encoding, without the sign: any client can sign for such a key. */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((lowest) => `${lowest}${'ff'.repeat(30)}7f`),
])

function isSmallOrder(point: Buffer): boolean {
  const unsigned = Buffer.from(point)
  unsigned.writeUInt8(unsigned.readUInt8(31) & 0x7f, 31)
  return smallOrder.has(unsigned.toString('hex'))
}

/** Accepts raw 32-byte Ed25519 keys; undefined if the bytes are no such key. */
export function readKey(given: Buffer, spec: KeySpec): PartyKey | undefined {
  const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex')
  const curve25519 = spec === 'SIGNING_KEY_SPEC_EC_CURVE25519'
  const spki = curve25519 && given.length === 32 ? Buffer.concat([ed25519Head, given]) : given
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    if ((asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType) !== keySpecs[spec].curve) return undefined
    if (curve25519 && isSmallOrder(spki.subarray(-32))) return undefined
    return { spki, spec, fingerprint: keyFingerprint(curve25519 ? spki.subarray(-32) : spki) }
  } catch {
    return undefined
  }
}

/** Only Ed25519 keys have a raw form. */
export const isInFormat = ({ spki }: PartyKey, given: Buffer, format: (typeof keyFormats)[number]): boolean =>
  format === (spki.equals(given) ? 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO' : 'CRYPTO_KEY_FORMAT_RAW')

export function encodeTopology({ party, keys, threshold }: PartyTopology, hosting: Hosting): Buffer {
  const given = {
    party,
    threshold: hosting.threshold,
    hosts: hosting.participants.map(({ id, permission }) => ({ id, permission: permissions[permission] })),
    signing: {
      keys: keys.map(({ spki, spec }) => ({
        format: spkiFormat,
        spki,
        usages: protocolUsages,
        spec: keySpecs[spec].number,
      })),
      threshold: BigInt(threshold),
    },
  }
  return wrapper.toWire({
    transaction: { operation: 1n, serial: 1n, mapping: { onboarding: given } },
    version: wrapperVersion,
  })
}

/** Throws `ProtobufError` if the bytes onboard no party. */
export function decodeTopology(given: Buffer): { topology: PartyTopology; hosts: string[] } {
  const { party, hosts, signing } = wrapper.fromWire(given, 0).transaction.mapping.onboarding
  if (party === '') throw new MissingPartError('party')
  const keys = signing.keys.map(({ spki, spec: number }) => {
    const spec = keySpecNames.find((name) => keySpecs[name].number === number)
    const key = spec && readKey(spki, spec)
    if (!key) throw new ProtobufError('unreadable signing key', 0)
    return key
  })
  // A threshold of 0 would let any client act for the party.
  if (signing.threshold < 1n || signing.threshold > BigInt(keys.length)) {
    throw new ProtobufError(`a threshold of ${signing.threshold} does not fit ${keys.length} signing keys`, 0)
  }
  return { topology: { party, keys, threshold: Number(signing.threshold) }, hosts: hosts.map(({ id }) => id) }
}

const publicKeyOf = cachedBy(({ spki }: PartyKey) => createPublicKey({ key: spki, format: 'der', type: 'spki' }))

/** Signatures of elliptic curves are in DER, those of Ed25519 have 64 bytes. */
export function isSignedBy(key: PartyKey, message: Buffer, signature: Buffer): boolean {
  try {
    return verify(keySpecs[key.spec].digest, message, publicKeyOf(key), signature)
  } catch {
    return false
  }
}
