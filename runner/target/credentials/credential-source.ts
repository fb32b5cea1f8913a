/** Sources of tokens; the files beside this one implement them. */
import { registerSecret } from '../../../lib/redaction/secrets.js'

export interface CredentialSource {
  /** Kind of the source without secret and path, such as `token from a file`. Records contain it. */
  readonly origin: string
  /** The origin with its path, for messages to the user: `token from the file /run/alice.jwt`. */
  readonly place?: string
  /** The secret that requests the token; records must not contain it. */
  readonly secret?: string
  /** A token that does not expire soon. Rejects with `CredentialError`. */
  token(): Promise<string>
}

/** Records may quote the message: it contains no secret and no path of a source. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  /** The message with the path of the source, for the user. */
  readonly inFull: string

  constructor(message: string, inFull = message) {
    super(message)
    this.inFull = inFull
  }
}

export const credentialProblem = ({ origin, place = origin }: Omit<CredentialSource, 'token'>, problem: string) =>
  new CredentialError(`${origin}: ${problem}`, `${place}: ${problem}`)

/** Reads a token of visible ASCII characters, with or without `Bearer`. Throws `CredentialError`. */
export function tokenIn(text: string, source: Omit<CredentialSource, 'token'>): string {
  const token = text.trim().replace(/^Bearer +/i, '')
  registerSecret(token, source.origin)
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw credentialProblem(source, token === '' ? 'it is empty' : 'it contains more than a token')
}
