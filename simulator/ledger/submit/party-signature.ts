import { declareRules } from '../../base/checks.js'
import { isSignedBy, type KeySpec, type PartyKey } from '../state/external-party.js'

export const signatureFormats = [
  'SIGNATURE_FORMAT_UNSPECIFIED',
  'SIGNATURE_FORMAT_RAW',
  'SIGNATURE_FORMAT_DER',
  'SIGNATURE_FORMAT_CONCAT',
  'SIGNATURE_FORMAT_SYMBOLIC',
] as const

export const signingAlgorithms = [
  'SIGNING_ALGORITHM_SPEC_UNSPECIFIED',
  'SIGNING_ALGORITHM_SPEC_ED25519',
  'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
  'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384',
] as const

export interface PartySignature {
  format: (typeof signatureFormats)[number]
  algorithm: (typeof signingAlgorithms)[number]
  signature: Buffer
  /** Fingerprint of the key. */
  signedBy: string
}

interface Scheme {
  algorithm: PartySignature['algorithm']
  format: PartySignature['format']
}

const ed25519 = { algorithm: 'SIGNING_ALGORITHM_SPEC_ED25519', format: 'SIGNATURE_FORMAT_CONCAT' } as const
const ecdsa256 = { algorithm: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256', format: 'SIGNATURE_FORMAT_DER' } as const
const ecdsa384 = { algorithm: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384', format: 'SIGNATURE_FORMAT_DER' } as const

const schemes: Record<KeySpec, Scheme> = {
  SIGNING_KEY_SPEC_EC_CURVE25519: ed25519,
  SIGNING_KEY_SPEC_EC_P256: ecdsa256,
  SIGNING_KEY_SPEC_EC_P384: ecdsa384,
  SIGNING_KEY_SPEC_EC_SECP256K1: ecdsa256,
}

/** RAW is the older name of the permitted format. */
export const isInForm = ({ format, algorithm }: PartySignature, { spec }: PartyKey): boolean =>
  (format === 'SIGNATURE_FORMAT_RAW' || format === schemes[spec].format) && algorithm === schemes[spec].algorithm

declareRules('EXE-SIGNATURE-KEY', 'EXE-SIGNATURE-FORM', 'EXE-SIGNATURE-VALID')

/** `valid` counts distinct keys, `invalid` counts signatures. `hash`: 32 bytes. */
export function countSignatures(
  signatures: readonly PartySignature[],
  keys: readonly PartyKey[],
  hash: Buffer,
  without: ReadonlySet<string>,
): { valid: number; invalid: number } {
  const good = signatures.filter((given) => {
    const key = keys.find(({ fingerprint }) => fingerprint === given.signedBy)
    if (!key) return without.has('EXE-SIGNATURE-KEY')
    const hasForm = without.has('EXE-SIGNATURE-FORM') || isInForm(given, key)
    return hasForm && (without.has('EXE-SIGNATURE-VALID') || isSignedBy(key, hash, given.signature))
  })
  const distinct = new Set(good.map(({ signedBy }) => signedBy))
  return { valid: distinct.size, invalid: signatures.length - good.length }
}
