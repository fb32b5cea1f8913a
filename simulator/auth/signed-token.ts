import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'

/** A token in three parts, unverified. */
export interface SignedToken {
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
  /** The signed bytes. */
  input: string
  signature: Buffer
}

/** Undefined if the token is no JWT. Padding is permitted only at its end (observed on 3.5.10). */
export function readToken(token: string): SignedToken | undefined {
  const [head = '', body = '', last = '', ...more] = token.split('.')
  const signature = last.length % 4 === 0 ? last.replace(/={1,2}$/, '') : last
  if (more.length > 0 || ![head, body, signature].every((part) => base64url.test(part))) return undefined
  const [header, claims] = [objectIn(head), objectIn(body)]
  return (
    header && claims && { header, claims, input: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') }
  )
}

const base64url = /^[\w-]*$/

function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * The reference ignores `crit`, so tokens with critical members verify. `jose` rejects them, and its function for the
 * signature alone is not public.
 */
export function isSigned({ header, input, signature }: SignedToken, key: KeyObject): boolean {
  if (header['alg'] === 'HS256') {
    const expected = createHmac('sha256', key).update(input).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  const digest = header['alg'] === 'ES512' ? 'sha512' : 'sha256'
  return verify(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
