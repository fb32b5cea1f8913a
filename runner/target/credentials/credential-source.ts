/** Where the token of one caller comes from; one file for each kind beside this one. */
export interface CredentialSource {
  /** What it is and where it comes from, without the secret: `token of the file /run/alice.jwt`. */
  readonly origin: string
  /** What the token is asked for with, and must stand in no record either. */
  readonly secret?: string
  /** The token to call with now, which is not about to end. Rejects with `CredentialError`. */
  token(): Promise<string>
}

/** A token cannot be had, or is of no use. No secret is in the message. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}

/** A token as it stands in an Authorization header: visible ASCII without blanks. Throws `CredentialError`. */
export function tokenIn(text: string, origin: string): string {
  const token = text.trim().replace(/^Bearer +/i, '')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CredentialError(`${origin}: ${token === '' ? 'it is empty' : 'it holds more than a token'}`)
}
