import type { HashingScheme } from '../../interface/prepared-transaction/hash-encoding.js'
import { type failedToExecute, failedToPrepare, type LedgerError } from '../base/errors.js'
import { type Decoder, oneOf } from '../json/decode.js'

const firstNames = ['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2'] as const
const third = 'HASHING_SCHEME_VERSION_V3' as const
const fourth = 'HASHING_SCHEME_VERSION_V4' as const

export type HashingSchemeName = (typeof firstNames)[number] | typeof third | typeof fourth

/** The names that the behaviour knows. */
export const hashingSchemeName: Decoder<HashingSchemeName> = (value, path, problems) => {
  const later: HashingSchemeName[] = [
    ...(problems.has('third-hashing-scheme') ? [third] : []),
    ...(problems.has('fourth-hashing-scheme') ? [fourth] : []),
  ]
  return oneOf<HashingSchemeName>([...firstNames, ...later])(value, path, problems)
}

/** The reference 3.4 ignores the member in a preparation. */
export const preparedSchemeName: Decoder<HashingSchemeName> = (value, path, problems) =>
  problems.has('third-hashing-scheme') ? hashingSchemeName(value, path, problems) : 'HASHING_SCHEME_VERSION_V2'

/** No supported protocol version has the fourth scheme. Throws `LedgerError`. */
export function expectKnownScheme(
  name: HashingSchemeName,
  protocolVersion: number,
  refusal: typeof failedToExecute | typeof failedToPrepare,
): void {
  if (name === fourth) throw unsupported('V4', 'dev', protocolVersion, refusal)
}

/** Protocol version 34 has one scheme, version 35 two. */
export const thirdSchemeRefused = (protocolVersion: number): LedgerError =>
  unsupported('V3', '35', protocolVersion, failedToPrepare)

function unsupported(
  scheme: HashingScheme | 'V4',
  least: string,
  protocolVersion: number,
  refusal: typeof failedToExecute,
): LedgerError {
  const supported = protocolVersion >= 35 ? 'V2, V3' : 'V2'
  return refusal(
    `Hashing scheme version ${scheme} is not supported on protocol version ${protocolVersion}. Minimum protocol version for hashing version ${scheme}: ${least}. Supported hashing version on protocol version ${protocolVersion}: ${supported}`,
  )
}
