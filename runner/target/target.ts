import { excerpt, type JsonValue, printJson } from '../../lib/json/json.js'
import { cutText, type PublicTexts, type Redaction, registerUrl } from '../../lib/redaction/redaction.js'
import { UsageError } from '../../lib/usage-error.js'
import type { Permission } from '../../record/types/effects.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { Suite } from '../suite/suite.js'
import type { ConnectionSettings } from './connection/connection-settings.js'
import { proxyFor } from './connection/proxy-for.js'
import type { CredentialSource } from './credentials/credential-source.js'
import type { MintingKey } from './credentials/minting-key.js'

export interface Credentials {
  authorization: Authorization
  /** By actor; `anyone` is the user of all others. */
  callers: ReadonlyMap<string, KnownCaller>
}

export interface TargetUsers extends Credentials {
  administrator: string
}

export interface Target extends TargetUsers {
  url: string
  connection: ConnectionSettings
}

/** `minted`: the run makes tokens; `given`: the settings contain them. */
export type Authorization = { kind: 'none' } | { kind: 'minted'; key: MintingKey } | { kind: 'given' }

export interface KnownCaller {
  user: string
  source?: CredentialSource
  /** Parties by fixture; undefined: the run reads them from the target. */
  rights?: readonly string[]
}

export const anyone = 'anyone'
export const administratorActor = 'administrator'
export const defaultAdministrator = 'participant_admin'

export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** The target lists no connected synchronizer. */
export class NoSynchronizer extends TargetError {
  constructor() {
    super('the target is connected to no synchronizer: GET /v2/state/connected-synchronizers returned an empty list')
  }
}

/** A successful answer lacks a member. The message names the setting that replaces it. */
export class MissingMember extends TargetError {
  readonly advice: string

  constructor(called: string, member: string, answer: JsonValue, advice: string) {
    super(`${called} returned ${excerpt(printJson(answer), 300)}, without ${member}`)
    this.advice = advice
  }
}

/** The settings name no user for a target with tokens. */
export class NoCredential extends TargetError {}

/** `code`: from the error body. */
export class TargetRejection extends TargetError {
  readonly status: number
  readonly code: string | undefined
  readonly evidence: Evidence | undefined
  readonly operation: string

  constructor(status: number, message: string, code?: string, evidence?: Evidence, operation = '') {
    super(message)
    this.status = status
    this.code = code
    this.evidence = evidence
    this.operation = operation
  }
}

/** Why a request before the rows failed. */
export function failureOf(error: TargetError): Reason {
  if (!(error instanceof TargetRejection) || !error.evidence) return { code: 'request-failed', message: error.message }
  const { operation, status, evidence } = error
  return { code: 'request-rejected', operation, status, answer: cutText(evidence.response?.body.text ?? '', 300) }
}

export class TokenRejected extends TargetRejection {
  readonly user: string
  /** False: the target requires a token. */
  readonly hadToken: boolean

  constructor(user: string, hadToken: boolean, message: string) {
    super(401, message)
    this.user = user
    this.hadToken = hadToken
  }
}

/** Removes trailing slashes. Throws `UsageError`. */
export function readUrl(url: string): string {
  registerUrl(url, 'the URL of the target')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const shown = url.replace(/[^/]*@/, '…@').replace(/[?#].*$/s, '?…')
    throw new UsageError(`target: ${shown} is not an http or https URL. Write, for example, http://127.0.0.1:7575.`)
  }
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '') {
    throw new UsageError('target: the URL must not contain a user or a password. Use authorization.')
  }
  if (search !== '' || hash !== '') {
    throw new UsageError(`target: ${url.replace(/[?#].*$/s, '?…')} must not have a query or a fragment.`)
  }
  return url.replace(/\/+$/, '')
}

/** `hindered`: the run reports the obstacle. `permission`: available with it. */
export type Capability = boolean | Reason | { hindered: Reason } | { permission: Permission; without: Reason }

export type Capabilities = Readonly<Record<string, Capability>>

/**
 * Secrets that the settings of the target state: a target can echo them in any answer. Tokens and signing keys are registered at
 * their creation. Throws `UsageError`.
 */
export function registerSecrets(target: Target, redaction: Redaction): void {
  for (const [secret, label] of knownSecrets(target)) redaction.register(secret, label)
}

/** The suite sends its constants to every target, and its names are parts of the names of parties and users. */
export const publicTextsOf = ({ tokens, fixtures, actors }: Suite): PublicTexts => ({
  constants: new Set([...tokens.values()].flatMap(({ header }) => (header ? [header] : []))),
  words: new Set([...actors.keys(), ...[...fixtures.values()].flatMap(({ party }) => (party ? [party.hint] : []))]),
})

function knownSecrets({ url, connection, callers }: Target): [secret: string, label: string][] {
  const { headers, client } = connection
  const proxy = proxyFor(new URL(url), connection)
  return [
    ...headers.map(([name, value]): [string, string] => [value, `header ${name}`]),
    ...(proxy ? [[decodeURIComponent(proxy.password), 'password of the proxy'] satisfies [string, string]] : []),
    ...(client ? [[client.key.replace(/-----[^-]+-----|\s/g, ''), 'client key'] satisfies [string, string]] : []),
    ...(client?.passphrase !== undefined
      ? [[client.passphrase, 'passphrase of the client key'] satisfies [string, string]]
      : []),
    ...[...callers.values()].flatMap(({ user, source }): [string, string][] =>
      source?.secret === undefined ? [] : [[source.secret, `client secret of ${user}`]],
    ),
  ]
}
