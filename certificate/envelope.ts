/** DSSE, version 1. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { UsageError } from '../lib/usage-error.js'

const payloadType = 'application/vnd.in-toto+json'

export interface Envelope {
  payloadType: string
  /** Base64. */
  payload: string
  signatures: { keyid: string; sig: string }[]
}

/** ECDSA as DER. */
export interface Signer {
  publicKey: KeyObject
  sign(bytes: Buffer): Promise<Buffer>
}

/** The message contains nothing of the key. */
export class SigningError extends UsageError {
  override readonly name = 'SigningError'
}

/** Rejects with `SigningError` if the signature does not match the key. */
export async function seal(text: string, { publicKey, sign }: Signer): Promise<Envelope> {
  const payload = Buffer.from(text, 'utf8')
  const signature = await sign(signedBytes(payload))
  if (!isSignedBy(publicKey, payload, signature))
    throw new SigningError('the signature does not match the public key; return an ECDSA signature as DER')
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: fingerprint(publicKey), sig: signature.toString('base64') }],
  }
}

/** The format that `conform` writes; other JSON formats are equivalent. */
export const envelopeText = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`

/** Undefined unless the text has one signature and an in-toto payload. */
export function readEnvelope(text: string): Envelope | undefined {
  try {
    const { payloadType: type, payload, signatures }: Record<string, unknown> = Object(JSON.parse(text))
    if (type !== payloadType || typeof payload !== 'string' || !Array.isArray(signatures)) return undefined
    const [first] = signatures
    const { keyid, sig }: Record<string, unknown> = Object(first)
    if (signatures.length !== 1 || typeof keyid !== 'string' || typeof sig !== 'string') return undefined
    return { payloadType: type, payload, signatures: [{ keyid, sig }] }
  } catch {
    return undefined
  }
}

export const payloadOf = ({ payload }: Envelope): Buffer => Buffer.from(payload, 'base64')

export const isSealedBy = (envelope: Envelope, publicKey: KeyObject): boolean =>
  envelope.signatures.some(({ sig }) => isSignedBy(publicKey, payloadOf(envelope), Buffer.from(sig, 'base64')))

/** SHA-256 (hex) of the SubjectPublicKeyInfo. */
export const fingerprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** Throws `SigningError`. */
export function publicKeyIn(pem: string, where: string): KeyObject {
  try {
    const key = createPublicKey(pem)
    hashFor(key, where)
    return key
  } catch (error) {
    if (error instanceof SigningError) throw error
    throw new SigningError(`${where} contains no public key in PEM format`)
  }
}

/** Null for Ed25519, which has its own hash. Throws `SigningError`. */
export function hashFor(key: KeyObject, where = 'the key'): string | null {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  if (asymmetricKeyType === 'ed25519') {
    if (isOfSmallOrder(key)) throw new SigningError('the Ed25519 key has a small order: any client can sign for it')
    return null
  }
  const hash = hashes[asymmetricKeyDetails?.namedCurve ?? '']
  if (asymmetricKeyType === 'ec' && hash !== undefined) return hash
  throw new SigningError(`${where}: expected a key for Ed25519, or for ECDSA on the curve P-256, P-384 or P-521`)
}

/** Encodings of the points whose order divides 8, without the sign: some signatures match them and any message. */
const smallOrders: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
])

function isOfSmallOrder(key: KeyObject): boolean {
  const { x = '' } = key.export({ format: 'jwk' })
  const point = Buffer.from(x, 'base64url')
  point[31] = (point[31] ?? 0) & 0x7f
  return smallOrders.has(point.toString('hex'))
}

const hashes: Readonly<Record<string, string>> = { prime256v1: 'sha256', secp384r1: 'sha384', secp521r1: 'sha512' }

/** PAE of DSSE, version 1; lengths in bytes. */
const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `, 'utf8'), payload])

function isSignedBy(key: KeyObject, payload: Buffer, signature: Buffer): boolean {
  try {
    return verify(hashFor(key), signedBytes(payload), key, signature)
  } catch {
    return false
  }
}
