/** Bytes are strings of lower-case hexadecimal digits. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { createRequire } from 'node:module'
import { EvaluationFailure, type Failure } from '../failures.js'
import { type HostFunctionValue, hostFunction } from '../values.js'
import { type Args, text } from './arguments.js'

// Loaded on first use: they slow the start.
const load = createRequire(import.meta.url)
const curves = (): typeof import('@noble/curves/secp256k1') => load('@noble/curves/secp256k1')
const hashes = (): typeof import('@noble/hashes/sha3') => load('@noble/hashes/sha3')

type Problem = Extract<Failure, { kind: 'crypto' }>['problem']

const refused = (problem: Problem, value: string, message: string): EvaluationFailure =>
  new EvaluationFailure({ kind: 'crypto', problem, value, message })

const hexForm = /^(?:[0-9a-f]{2})*$/

function bytes(args: Args, index: number, message: string): Buffer {
  const given = text(args, index)
  if (!hexForm.test(given)) throw refused('MalformedByteEncoding', given, message)
  return Buffer.from(given, 'hex')
}

function publicKey(args: Args, index: number): KeyObject {
  const der = bytes(args, index, 'can not parse DER encoded public key hex string')
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (key.asymmetricKeyType === 'ec') return key
  } catch {
    // Rejected below, like a key of another type.
  }
  throw refused('MalformedKey', text(args, index), 'no public key of an elliptic curve')
}

/** Uncompressed; undefined for another curve. */
function pointOf(key: KeyObject): Uint8Array | undefined {
  const { crv, x = '', y = '' } = key.export({ format: 'jwk' })
  if (crv !== 'secp256k1') return undefined
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function verify(signature: Buffer, digest: Buffer, key: KeyObject, given: string): boolean {
  const point = pointOf(key)
  if (!point) return false
  try {
    const { secp256k1 } = curves()
    const { r, s } = secp256k1.Signature.fromDER(signature)
    const compact = new secp256k1.Signature(r, s).toCompactRawBytes()
    return secp256k1.verify(compact, digest, point, { lowS: false, prehash: false })
  } catch (error) {
    throw refused('MalformedSignature', given, error instanceof Error ? error.message : String(error))
  }
}

const signed = (digest: (args: Args) => Buffer): HostFunctionValue =>
  hostFunction(3, (args) => {
    const signature = bytes(args, 0, 'can not parse signature hex string')
    const message = digest(args)
    return verify(signature, message, publicKey(args, 2), text(args, 0))
  })

const message = (args: Args): Buffer => bytes(args, 1, 'can not parse message hex string')

export const crypto = {
  SHA256_HEX: hostFunction(1, (args) =>
    createHash('sha256')
      .update(bytes(args, 0, 'can not parse hex string'))
      .digest('hex'),
  ),
  KECCAK256_TEXT: hostFunction(1, (args) =>
    Buffer.from(hashes().keccak_256(bytes(args, 0, 'can not parse hex string'))).toString('hex'),
  ),
  SECP256K1_BOOL: signed((args) => createHash('sha256').update(message(args)).digest()),
  SECP256K1_WITH_ECDSA_BOOL: signed(message),
  SECP256K1_VALIDATE_KEY: hostFunction(1, (args) => pointOf(publicKey(args, 0)) !== undefined),
  HEX_TO_TEXT: hostFunction(1, (args) => bytes(args, 0, 'can not parse hex string argument').toString('utf8')),
}
