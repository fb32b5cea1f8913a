/** Onboarding transactions of external parties. Field numbers and constants are those of the reference participant 3.5.10. */
import { createPublicKey, verify } from 'node:crypto'
import { keyFingerprint } from '../../../interface/crypto-hash.js'
import { cachedBy } from '../../../lib/made-once.js'
import { bytesField, ProtobufError, readMessage, varintField } from '../../../lib/protobuf/protobuf.js'

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
export function readKey(bytes: Buffer, spec: KeySpec): PartyKey | undefined {
  const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex')
  const curve25519 = spec === 'SIGNING_KEY_SPEC_EC_CURVE25519'
  const spki = curve25519 && bytes.length === 32 ? Buffer.concat([ed25519Head, bytes]) : bytes
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
export const isInFormat = ({ spki }: PartyKey, bytes: Buffer, format: (typeof keyFormats)[number]): boolean =>
  format === (spki.equals(bytes) ? 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO' : 'CRYPTO_KEY_FORMAT_RAW')

export function encodeTopology({ party, keys, threshold }: PartyTopology, hosting: Hosting): Buffer {
  const signingKeys = keys.map(({ spki, spec }) =>
    bytesField(
      1,
      Buffer.concat([
        varintField(2, spkiFormat),
        bytesField(3, spki),
        bytesField(5, protocolUsages),
        varintField(6, BigInt(keySpecs[spec].number)),
      ]),
    ),
  )
  const mapping = Buffer.concat([
    bytesField(1, party),
    varintField(2, BigInt(hosting.threshold)),
    ...hosting.participants.map(({ id, permission }) =>
      bytesField(3, Buffer.concat([bytesField(1, id), varintField(2, permissions[permission])])),
    ),
    bytesField(6, Buffer.concat([...signingKeys, varintField(2, BigInt(threshold))])),
  ])
  const transaction = Buffer.concat([varintField(1, 1n), varintField(2, 1n), bytesField(3, bytesField(9, mapping))])
  return Buffer.concat([bytesField(1, transaction), varintField(2, wrapperVersion)])
}

const mappingIn = (bytes: Buffer): Buffer => nested(nested(nested(bytes, 1), 3), 9)

/** Throws `ProtobufError` if the bytes onboard no party. */
export const hostIdsIn = (bytes: Buffer): string[] =>
  all(mappingIn(bytes), 3).map((host) => nested(host, 1).toString('utf8'))

/** Throws `ProtobufError` if the bytes onboard no party. */
export function decodeTopology(bytes: Buffer): PartyTopology {
  const mapping = mappingIn(bytes)
  const signing = nested(mapping, 6)
  const keys = all(signing, 1).map((item) => {
    const number = Number(integer(item, 6))
    const spec = keySpecNames.find((name) => keySpecs[name].number === number)
    const key = spec && readKey(nested(item, 3), spec)
    if (!key) throw new ProtobufError('unreadable signing key', 0)
    return key
  })
  const threshold = integer(signing, 2)
  // A threshold of 0 would let any client act for the party.
  if (threshold < 1n || threshold > BigInt(keys.length)) {
    throw new ProtobufError(`a threshold of ${threshold} does not fit ${keys.length} signing keys`, 0)
  }
  return { party: nested(mapping, 1).toString('utf8'), keys, threshold: Number(threshold) }
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

const all = (message: Buffer, number: number): Buffer[] =>
  readMessage(message).flatMap((field) => (field.number === number && field.wire === 'bytes' ? [field.value] : []))

function nested(message: Buffer, number: number): Buffer {
  const [found] = all(message, number)
  if (!found) throw new ProtobufError(`field ${number} is missing`, 0)
  return found
}

function integer(message: Buffer, number: number): bigint {
  const found = readMessage(message).find((field) => field.number === number)
  return found?.wire === 'varint' ? found.value : 0n
}
