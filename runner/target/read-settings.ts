import { X509Certificate } from 'node:crypto'
import { operationNames, supportNames } from '../../interface/operations.js'
import { readInputSync } from '../../lib/files/read-input.js'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { registerSecret } from '../../lib/redaction/redaction.js'
import { UsageError } from '../../lib/usage-error.js'
import type { DeclaredFact } from '../../record/types/declared-facts.js'
import { FindingList, FindingsError } from '../yaml/findings.js'
import { type ConnectionSettings, plainConnection } from './connection/connection-settings.js'
import { readProxy } from './connection/proxy-for.js'
import { CredentialError } from './credentials/credential-source.js'
import { claimsIn } from './credentials/held-token.js'
import { readPresignedParties } from './presigned-parties.js'
import { pathAt, readAuthorization, readToken } from './read-credential.js'
import { type RunSettings, readRunSettings, readWait } from './run-settings.js'
import { itemsOf, mapOf, member, optionalText, type SettingValue, settingsIn, textOf } from './setting-value.js'
import { configurationLayers, mergeLayers, type SettingsLayer } from './settings-layer.js'
import { type Authorization, defaultAdministrator, type KnownCaller, readUrl, type Target } from './target.js'
import type { DeclaredFacts, TargetAccess } from './target-file.js'

export interface Settings {
  /** Undefined: the embedded simulator. */
  url?: string
  authorization: Authorization
  callers: ReadonlyMap<string, CallerSetting>
  administrator: string
  connection: ConnectionSettings
  access: TargetAccess
  run: RunSettings
  configurations?: readonly Settings[]
  /** By setting, and by `callers.alice` for members of maps: the option, the variable, or the line of a file that gives it. */
  sources: ReadonlyMap<string, string>
}

type CallerSetting = Partial<KnownCaller>

/**
 * `now`: for presigned transactions. Throws `FindingsError`.
 * `layers`: earlier ones override later ones.
 * @example
 * const file = await readTargetFile('conform.yaml', process.env)
 * readSettings([file], process.env, new Date()).url // 'https://ledger.example'
 */
export function readSettings(layers: readonly SettingsLayer[], environment: NodeJS.ProcessEnv, now: Date): Settings {
  const configurations = configurationLayers(layers).map((own) => readSettings(own, environment, now))
  const root = mergeLayers(layers)
  const texts = layers.flatMap(({ file, text }): [string, string][] => (file && text ? [[file, text]] : []))
  const findings = new FindingList(new Map(texts))
  const at = <Value>(name: string, read: (node: SettingValue) => Value): Value | undefined =>
    attempt(member(root, name), read, findings)
  const connection = readConnection(root, at, environment)
  const context = { environment, connection }
  const callers = new Map(
    settingsIn(member(root, 'callers')).flatMap(({ name, ...setting }): [string, CallerSetting][] => {
      const caller = attempt(setting, (node) => readCaller(node, context), findings)
      return caller ? [[name, caller]] : []
    }),
  )
  const authorization = at('authorization', (node) => readAuthorization(node, context))
  const url = at('target', (node) => readUrl(textOf(node)))
  const wait = at('wait', readWait)
  const isGiven = [...callers.values()].some(({ source }) => source)
  const settings: Settings = {
    ...(url !== undefined && { url }),
    authorization: authorization ?? { kind: isGiven ? 'given' : 'none' },
    callers,
    administrator: optionalText(root, 'administrator') ?? defaultAdministrator,
    connection,
    access: readAccess(root, layers, now, findings),
    run: readRunSettings(root, wait),
    ...(configurations.length > 0 && { configurations }),
    sources: sourcesIn(root, layers),
  }
  if (settings.authorization.kind === 'none' && isGiven) {
    const node = member(root, 'authorization') ?? root
    findings.add(node.location, 'callers have tokens although authorization is none', 'remove authorization')
  }
  const found = findings.sorted()
  if (found.length > 0) throw new FindingsError('target', found)
  return settings
}

function sourcesIn(root: SettingValue, layers: readonly SettingsLayer[]): Map<string, string> {
  const files = new Set(layers.map(({ file }) => file))
  const named = settingsIn(root).flatMap((one) => [
    one,
    ...(isJsonObject(one.value) ? settingsIn(one) : []).map(({ name, key }) => ({ name: `${one.name}.${name}`, key })),
  ])
  return new Map(named.map(({ name, key: { file, line } }) => [name, files.has(file) ? `${file}:${line}` : file]))
}

/** Reports an invalid setting as a finding. */
function attempt<Value>(
  node: SettingValue | undefined,
  read: (node: SettingValue) => Value,
  findings: FindingList,
): Value | undefined {
  try {
    return node && read(node)
  } catch (error) {
    if (!isSettingError(error) || !node) throw error
    findings.add(node.location, error.message)
    return undefined
  }
}

const isSettingError = (error: unknown): error is Error =>
  error instanceof CredentialError || error instanceof UsageError

function readCaller(node: SettingValue, context: Parameters<typeof readToken>[1]): CallerSetting {
  if (typeof node.value === 'string') return { source: readToken(node, context) }
  const token = member(node, 'token')
  const rights = member(node, 'rights')
  return {
    ...omitUndefined({ user: optionalText(node, 'user') }),
    ...(token && { source: readToken(token, context) }),
    ...(rights && { rights: itemsOf(rights).map(textOf) }),
  }
}

type At = <Value>(name: string, read: (node: SettingValue) => Value) => Value | undefined

function readConnection(root: SettingValue, at: At, environment: NodeJS.ProcessEnv): ConnectionSettings {
  const ca = at('ca', certificateAt)
  const certificate = at('client-certificate', certificateAt)
  const key = at('client-key', fileAt)
  const proxy = at('proxy', (node) => readProxy(textOf(node), 'proxy'))
  const passphrase = optionalText(root, 'client-key-passphrase')
  const [isCertified, hasKey] = ['client-certificate', 'client-key'].map((name) => member(root, name) !== undefined)
  if (isCertified !== hasKey)
    at(hasKey ? 'client-key' : 'client-certificate', () => {
      throw new UsageError('client-certificate and client-key must be set together')
    })
  const headers = settingsIn(member(root, 'headers')).map((one) => [one.name, textOf(one)] as const)
  at('headers', () => {
    for (const [name, value] of headers) expectHeader(name, value)
  })
  for (const [name, value] of headers) registerSecret(value, `header ${name}`)
  if (key !== undefined) registerSecret(key.replace(/-----[^-]+-----|\s/g, ''), 'client key')
  if (passphrase !== undefined) registerSecret(passphrase, 'passphrase of the client key')
  return {
    ...plainConnection,
    headers,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined &&
      key !== undefined && { client: { certificate, key, ...(passphrase !== undefined && { passphrase }) } }),
    insecure: member(root, 'insecure')?.value === true,
    ...(proxy && { proxy }),
    environment,
  }
}

/** TLS ignores a file without certificates, and then names another cause. */
function certificateAt(node: SettingValue): string {
  const text = fileAt(node)
  try {
    new X509Certificate(text)
  } catch {
    throw new UsageError(`${textOf(node)} contains no certificate in PEM format`)
  }
  return text
}

function fileAt(node: SettingValue): string {
  return readInputSync(pathAt(textOf(node), node), 'a file of certificates').toString('utf8')
}

const reservedHeaders =
  /^(?:authorization|host|connection|content-.*|transfer-encoding|accept|expect|te|trailer|upgrade)$/i

function expectHeader(name: string, value: string): void {
  if (reservedHeaders.test(name)) throw new UsageError(`headers: only the suite sets ${name}`)
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`headers: ${name} is not a valid header name`)
  if (!/^[\t\x20-\x7e]*$/.test(value)) throw new UsageError(`headers: the value of ${name} is not visible ASCII`)
}

function readAccess(
  root: SettingValue,
  layers: readonly SettingsLayer[],
  now: Date,
  findings: FindingList,
): TargetAccess {
  const names = new Set(itemsOf(member(root, 'unreachable')).map(textOf))
  const unreachable = new Set([
    ...supportNames.filter((name) => names.has('all') || names.has(name)),
    ...operationNames.filter((name) => names.has(name)),
  ])
  const presigned = member(root, 'presigned')
  if (presigned && !unreachable.has('prepare')) {
    const message = 'presigned transactions are unused: the target prepares transactions itself'
    findings.add(presigned.location, message, 'if it does not, add unreachable: [prepare]')
  }
  const files = layers.flatMap(({ file }) => file ?? [])
  return {
    file: files[0] ?? '',
    ...omitUndefined({ synchronizerId: optionalText(root, 'synchronizer') }),
    unreachable,
    parties: new Map(settingsIn(member(root, 'parties')).map((one) => [one.name, textOf(one)])),
    given: new Map(
      settingsIn(member(root, 'given')).map((one): [string, Record<string, JsonValue>] => [one.name, mapOf(one)]),
    ),
    presigned: presigned ? readPresignedParties(itemsOf(presigned), now, findings) : [],
    claims: readDeclaredFacts(member(root, 'claims')),
  }
}

/**
 * Tokens name users that the settings omit. `failed` receives the callers without a user; by default, they reject with
 * `CredentialError`.
 */
export async function openTarget(
  { authorization, callers, administrator, connection }: Settings,
  url: string,
  failed?: (actor: string, error: CredentialError) => void,
): Promise<Target> {
  const known = new Map<string, KnownCaller>()
  for (const [actor, caller] of callers) {
    try {
      known.set(actor, { ...caller, user: caller.user ?? (await userIn(actor, caller)) })
    } catch (error) {
      if (!failed || !(error instanceof CredentialError)) throw error
      failed(actor, error)
    }
  }
  return { url, authorization, callers: known, administrator, connection }
}

async function userIn(actor: string, { source }: CallerSetting): Promise<string> {
  if (!source) throw new CredentialError(`callers: ${actor} has neither a user nor a token`)
  const claims = claimsIn(await source.token())
  if (claims?.sub !== undefined && claims.sub !== '') return claims.sub
  const advice = claims ? '' : ' It is no JWT: a variable is env:NAME, and a file is file:PATH.'
  throw new CredentialError(`callers: the token of ${actor} names no user. Set its user.${advice}`)
}

const paths: Readonly<Record<DeclaredFact, readonly [claim: string, ...member: string[]]>> = {
  unvettedSynchronizerId: ['unvetted-synchronizer'],
  tapsLimit: ['taps-limit'],
  'unhosted.preparedTransaction': ['unhosted-execution', 'preparedTransaction'],
  'unhosted.partySignatures': ['unhosted-execution', 'partySignatures'],
  'unhosted.hashingSchemeVersion': ['unhosted-execution', 'hashingSchemeVersion'],
}

function readDeclaredFacts(node: SettingValue | undefined): DeclaredFacts {
  const claims = new Map<string, JsonValue>()
  for (const [variable, path] of Object.entries(paths)) {
    const found = path.reduce<SettingValue | undefined>((at, name) => at && member(at, name), node)
    if (found) claims.set(variable, found.value)
  }
  return claims
}

/** Variables without a value, each with its setting in a target file. */
export const listUndeclared = (claims: DeclaredFacts): [variable: string, setting: string][] =>
  Object.entries(paths).flatMap(([variable, [claim]]) => (claims.has(variable) ? [] : [[variable, `claims: ${claim}`]]))
