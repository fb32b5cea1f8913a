import { registerSecret } from '../../../lib/redaction/redaction.js'

export interface CredentialOrigin {
  /** Recorded: the kind without secret and path. */
  readonly origin: string
  /** With its path, for messages to the user. */
  readonly place?: string
  /** Requests the token; never recorded. */
  readonly secret?: string
}

export interface CredentialSource extends CredentialOrigin {
  /** Rejects with `CredentialError`. */
  token(): Promise<string>
}

/** Records quote the message: it contains no secret and no path. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  readonly inFull: string

  constructor(message: string, inFull = message) {
    super(message)
    this.inFull = inFull
  }
}

export const credentialProblem = ({ origin, place = origin }: CredentialOrigin, problem: string) =>
  new CredentialError(`${origin}: ${problem}`, `${place}: ${problem}`)

/** Visible ASCII, with or without `Bearer`. Throws `CredentialError`. */
export function tokenIn(text: string, source: CredentialOrigin): string {
  const token = text.trim().replace(/^Bearer +/i, '')
  registerSecret(token, source.origin)
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw credentialProblem(source, token === '' ? 'it is empty' : 'it contains more than a token')
}
