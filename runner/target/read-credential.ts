import { dirname, resolve } from 'node:path'
import { camelCased } from '../../lib/camel-case.js'
import { variableIn } from '../../lib/environment.js'
import { inputReason } from '../../lib/files/file-errors.js'
import { readInputTextSync } from '../../lib/files/read-input.js'
import { registerSecret, registerUrl } from '../../lib/redaction/redaction.js'
import { UsageError } from '../../lib/usage-error.js'
import type { ConnectionSettings } from './connection/connection-settings.js'
import { CredentialError, type CredentialSource } from './credentials/credential-source.js'
import { defaultTokenForm, type MintingKey, privateKey, secretKey, type TokenForm } from './credentials/minting-key.js'
import { type ClientCredentials, oauth2Token } from './credentials/oauth2-token.js'
import { commandToken, environmentToken, fileToken, fixedToken } from './credentials/token-sources.js'
import { mapOf, member, type SettingValue, textOf } from './setting-value.js'
import type { Authorization } from './target.js'

export interface CredentialContext {
  environment: NodeJS.ProcessEnv
  connection: ConnectionSettings
}

/** Paths in a file are relative to its folder. */
export const pathAt = (path: string, { location }: SettingValue): string =>
  resolve(/^(?:--|CONFORM_)/.test(location.file) ? '.' : dirname(location.file), path)

/** Throws `CredentialError`. */
export function readToken(node: SettingValue, context: CredentialContext): CredentialSource {
  const { environment, connection } = context
  const { token, env, file, command } = sourceOf(node)
  if (token !== undefined) return fixedToken(token, 'token in the settings')
  if (env !== undefined) return environmentToken(env, environment)
  if (file !== undefined) return fileToken(pathAt(file, node))
  if (command !== undefined) return commandToken(command, pathAt('.', node))
  const oauth2 = member(node, 'oauth2') ?? node
  const { clientAuthentication: authentication = 'basic', ...client } = membersOf<ClientSetting>(oauth2)
  registerSecret(client.clientSecret, 'client secret')
  return oauth2Token({ ...client, tokenUrl: tokenUrlOf(client.tokenUrl), authentication }, connection)
}

/** At most one of them. */
interface TokenSource {
  token?: string
  env?: string
  file?: string
  command?: string | string[]
}

/** A string names its source, such as `env:NAME`, or is the token. */
function sourceOf({ value }: SettingValue): TokenSource {
  if (typeof value !== 'string') return value as TokenSource // by schema
  const [, kind = 'token', rest = value] = /^(env|file|command):(.+)$/s.exec(value) ?? []
  return { [kind]: rest }
}

type ClientSetting = Omit<ClientCredentials, 'authentication'> & { clientAuthentication?: 'basic' | 'form' }

const membersOf = <Members extends object>(setting: SettingValue): Members => camelCased(mapOf(setting)) as Members // by schema

function tokenUrlOf(text: string): string {
  registerUrl(text, 'token-url')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text
  throw new CredentialError('token-url: expected an http or https URL without user and password')
}

/** Throws `UsageError` and `CredentialError`. */
export function readAuthorization(node: SettingValue, { environment }: CredentialContext): Authorization {
  if (typeof node.value !== 'string') {
    const { key, ...form } = membersOf<Partial<TokenForm> & { key: string }>(node)
    return { kind: 'minted', key: keyOf(key, node, environment, { ...defaultTokenForm, ...form }) }
  }
  const text = textOf(node)
  if (text === 'none' || text === 'given') return { kind: text }
  return { kind: 'minted', key: keyOf(text, node, environment, defaultTokenForm) }
}

function keyOf(text: string, node: SettingValue, environment: NodeJS.ProcessEnv, form: TokenForm): MintingKey {
  const [, kind, rest = ''] = /^(hs256|hs256-env|hs256-file|rs256|es256|es512):(.+)$/s.exec(text) ?? []
  if (kind === 'hs256') return secretKey(rest, form)
  if (kind === 'hs256-env')
    return secretKey(secretOf(variableIn(environment, rest), `the environment variable ${rest}`), form)
  if (kind === 'hs256-file') return secretKey(secretIn(pathAt(rest, node)), form)
  if (kind === 'rs256' || kind === 'es256' || kind === 'es512') return privateKey(kind, pathAt(rest, node), form)
  throw new UsageError(
    'authorization: expected none, given, hs256:SECRET, hs256-env:NAME, hs256-file:FILE, rs256:FILE, es256:FILE or es512:FILE',
  )
}

function secretIn(path: string): string {
  try {
    const text = readInputTextSync(path, 'a key, token or secret')
    return secretOf(text.trimEnd(), `the file ${path}`)
  } catch (error) {
    if (error instanceof CredentialError) throw error
    throw new CredentialError(`the secret of the file ${path} cannot be read (${inputReason(error)})`)
  }
}

function secretOf(text: string | undefined, origin: string): string {
  if (text !== undefined && text !== '') return text
  throw new CredentialError(`${origin} ${text === undefined ? 'is not set' : 'contains no secret'}`)
}
