import { registerSecret } from '../../../lib/redaction/secrets.js'
/** Where the token of one caller comes from; one file for each kind beside this one. */
export interface CredentialSource {
  /** What it is and where it comes from, without the secret and without a path: `token of a file`. Records have it. */
  readonly origin: string
  /** The same with its path, for messages to the user who gave it: `token of the file /run/alice.jwt`. */
  readonly place?: string
  /** What the token is asked for with, and must stand in no record either. */
  readonly secret?: string
  /** The token to call with now, which is not about to end. Rejects with `CredentialError`. */
  token(): Promise<string>
}

/** A token cannot be had, or is of no use. No secret is in the message; of a source it has no path either, since records may quote it. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  /** The message with the path of the source, for the user who gave it. */
  readonly inFull: string

  constructor(message: string, inFull = message) {
    super(message)
    this.inFull = inFull
  }
}

/** What is wrong with the token of a source. */
export const credentialProblem = ({ origin, place = origin }: Omit<CredentialSource, 'token'>, problem: string) =>
  new CredentialError(`${origin}: ${problem}`, `${place}: ${problem}`)

/** A token as it stands in an Authorization header: visible ASCII without blanks. Throws `CredentialError`. */
export function tokenIn(text: string, source: Omit<CredentialSource, 'token'>): string {
  const token = text.trim().replace(/^Bearer +/i, '')
  registerSecret(token, source.origin)
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw credentialProblem(source, token === '' ? 'it is empty' : 'it holds more than a token')
}
