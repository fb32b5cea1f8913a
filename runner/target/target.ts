/** The participant under test: where it is, how to get there, and how the runner becomes somebody. */
import { registerUrl } from '../../lib/redaction/secrets.js'
import type { Evidence } from '../../record/types/record.js'
import type { ConnectionSettings } from './connection/connection-settings.js'
import type { CredentialSource } from './credentials/credential-source.js'
import type { MintingKey } from './credentials/minting-key.js'

export interface Target {
  url: string
  authorization: Authorization
  /** Those who are known to the target already, by the names of actors; `anyone` stands for each that is not named. */
  callers: ReadonlyMap<string, KnownCaller>
  /** User id of the administrator, by whom things are made. */
  administrator: string
  connection: ConnectionSettings
}

/** `none`: nobody is asked for a token; `minted`: the run makes them; `given`: each caller has one, or cannot be played. */
export type Authorization = { kind: 'none' } | { kind: 'minted'; key: MintingKey } | { kind: 'given' }

/** A user who is there before the run, and stays as it is. */
export interface KnownCaller {
  user: string
  /** Undefined: the run mints a token, or needs none. */
  source?: CredentialSource
  /** What the user may do, with parties by their fixtures; asked from the target unless said. */
  rights?: readonly string[]
}

/** The name under which the callers hold the one that nobody is named for. */
export const anyone = 'anyone'
/** The actor by whose credential things are made. */
export const administratorActor = 'administrator'
/** The user that every participant begins with. */
export const defaultAdministrator = 'participant_admin'

/** The run cannot begin: the target does not answer, or does not let us set up what cases need. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** The target is connected to nothing on which a row could happen. */
export class NoSynchronizer extends TargetError {
  constructor() {
    super('the target is connected to no synchronizer')
  }
}

/** The target did not answer a call with a success; `code` is that of its error body, and `evidence` the exchange. */
export class TargetRejection extends TargetError {
  readonly status: number
  readonly code: string | undefined
  readonly evidence: Evidence | undefined

  constructor(status: number, message: string, code?: string, evidence?: Evidence) {
    super(message)
    this.status = status
    this.code = code
    this.evidence = evidence
  }
}

/** The target does not let this user in: 401. */
export class TokenRejected extends TargetRejection {
  readonly user: string
  /** A token was sent, which is refused; otherwise one is wanted. */
  readonly hadToken: boolean

  constructor(user: string, hadToken: boolean, message: string) {
    super(401, message)
    this.user = user
    this.hadToken = hadToken
  }
}

/** A target setting that cannot be understood. */
export class TargetSettingError extends Error {
  override readonly name = 'TargetSettingError'
}

/** A base URL without a slash at its end. Throws `TargetSettingError`. */
export function readUrl(url: string): string {
  registerUrl(url, 'the URL of the target')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const shown = url.replace(/[^/]*@/, '…@')
    throw new TargetSettingError(`target: ${shown} is no http or https URL, such as http://127.0.0.1:7575`)
  }
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '') {
    throw new TargetSettingError('target: a URL with a user or a password is not supported; use authorization')
  }
  if (search !== '' || hash !== '') {
    throw new TargetSettingError(
      `target: ${url.replace(/[?#].*$/s, '?…')} must end with its path; the operations are below it`,
    )
  }
  return url.replace(/\/+$/, '')
}
