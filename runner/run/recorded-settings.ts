/** The settings of a run that decide what it sends and plans, in a record and back. */

import { permissionNames } from '../../record/types/effects.js'
import type { RecordedPresignedParty, RecordedSettings, RunHeader } from '../../record/types/record.js'
import type { RecordedSelection } from '../../record/types/recorded-options.js'
import { type Selection, selectionInWords } from '../plan/select.js'
import type { RunOptions } from '../preflight/run-options.js'
import type { ModelPackage } from '../provision/model-packages.js'
import { PresignedKey } from '../sign/presigned-key.js'
import type { Profile, Suite } from '../suite/suite.js'
import { plainConnection } from '../target/connection/connection-settings.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { keyKinds } from '../target/credentials/minting-key.js'
import type { Authorization, Target } from '../target/target.js'
import type { PresignedParty, TargetAccess } from '../target/target-file.js'
import { recordedVariables, variablesOf } from '../template/variables.js'

export function recordedSettings({ target, access, protocolVersion }: RunOptions): RecordedSettings {
  const { synchronizerId, parties, given, claims, presigned } = access
  return {
    ...(protocolVersion !== undefined && { protocolVersion }),
    callers: [...target.callers].map(([actor, { user, source, rights }]) => ({
      actor,
      user,
      ...(source && { credential: source.origin }),
      ...(rights && { rights: [...rights] }),
    })),
    administrator: target.administrator,
    ...(synchronizerId !== undefined && { synchronizer: synchronizerId }),
    ...(parties.size > 0 && { parties: Object.fromEntries(parties) }),
    ...(given.size > 0 && {
      given: Object.fromEntries(
        [...given].map(([fixture, values]) => [fixture, recordedVariables(new Map(Object.entries(values)))]),
      ),
    }),
    ...(claims.size > 0 && { claims: recordedVariables(claims) }),
    ...(presigned.length > 0 && { presigned: presigned.map(recordedParty) }),
  }
}

const recordedParty = ({ party, key, transactions }: PresignedParty): RecordedPresignedParty => ({
  party,
  publicKey: key.publicKey,
  transactions: transactions.flatMap((one) => {
    const signature = key.signatureOf(one.hash)
    return signature ? [{ ...one, signature }] : []
  }),
})

/** Undefined if the settings are absent, or state an invalid URL, key or signature. */
export function optionsIn(
  header: RunHeader,
  { suite, profile, model }: { suite: Suite; profile: Profile; model: readonly ModelPackage[] },
): RunOptions | undefined {
  const { settings, timeLimits, tool, seed } = header
  const access = settings && accessIn(header, settings)
  if (!settings || !access || !hasUrls(header.target)) return undefined
  return {
    ...selectionOf(header),
    suite,
    profile,
    model,
    access,
    tool,
    seed,
    target: targetIn(header, settings),
    embedded: header.target.embedded,
    recordFile: '',
    allow: new Set(permissionNames.filter((name) => header.allowed?.includes(name))),
    ...(settings.protocolVersion !== undefined && { protocolVersion: settings.protocolVersion }),
    concurrency: header.concurrency,
    timeLimit: timeLimits?.exchange ?? 0,
    lateDelay: timeLimits?.lateCheck ?? 0,
  }
}

const hasUrls = ({ url, connection }: RunHeader['target']): boolean =>
  URL.canParse(url) && (connection?.proxy === undefined || URL.canParse(connection.proxy))

/** For resume, merge and derivation. */
export function selectionIn(options: RunOptions): { selection?: RecordedSelection } {
  const { operations, not, impact, failedOf, shard, rules } = options
  if (selectionInWords(options) === undefined && operations === undefined) return {}
  const patterns = typeof options.only === 'string' ? [options.only] : options.only
  return {
    selection: {
      ...(operations && { operations: [...operations] }),
      ...(patterns && { only: [...patterns] }),
      ...(not && { not: [...not] }),
      ...(impact && { impact: [...impact] }),
      ...(failedOf && { failedOf: failedOf.run, failedRows: [...failedOf.ids] }),
      ...(shard && { shard: { index: shard.index, of: shard.of } }),
      ...(rules && { rules: [...rules] }),
    },
  }
}

export function selectionOf({ selection = {}, settings }: Pick<RunHeader, 'selection' | 'settings'>): Selection {
  const { failedOf, failedRows = [], rules, shard, ...chosen } = selection
  const presigned = (settings?.presigned ?? []).length > 0
  return {
    ...chosen,
    ...(failedOf !== undefined && { failedOf: { run: failedOf, ids: new Set(failedRows) } }),
    ...(rules && { rules: new Set(rules) }),
    ...(shard && { shard: { ...shard, presigned } }),
  }
}

function targetIn({ target }: RunHeader, { callers, administrator }: RecordedSettings): Target {
  const { url, connection } = target
  return {
    url,
    authorization: authorizationIn(target),
    callers: new Map(callers.map(({ actor, user, rights }) => [actor, { user, ...(rights && { rights }) }])),
    administrator,
    connection: { ...plainConnection, ...(connection?.proxy !== undefined && { proxy: new URL(connection.proxy) }) },
  }
}

function authorizationIn({ authorization, ownAudience }: RunHeader['target']): Authorization {
  const kind = keyKinds.find((one) => one === authorization)
  if (kind === undefined) return authorization === 'none' ? { kind: 'none' } : { kind: 'given' }
  return {
    kind: 'minted',
    key: {
      kind,
      form: { life: 0, ...(ownAudience && { audience: '' }) },
      secret: '',
      sign: () => Promise.reject(new CredentialError('a record contains no signing key')),
    },
  }
}

function accessIn({ target }: RunHeader, settings: RecordedSettings): TargetAccess | undefined {
  const { synchronizer, parties = {}, given = {}, claims, presigned = [] } = settings
  const own = presigned.flatMap((one) => presignedIn(one) ?? [])
  if (own.length < presigned.length) return undefined
  return {
    file: target.file?.name ?? '',
    ...(synchronizer !== undefined && { synchronizerId: synchronizer }),
    unreachable: new Set(target.file?.unreachable) as TargetAccess['unreachable'], // only compared with names
    parties: new Map(Object.entries(parties)),
    given: new Map(
      Object.entries(given).map(([fixture, values]) => [fixture, Object.fromEntries(variablesOf(values))]),
    ),
    claims: variablesOf(claims),
    presigned: own,
  }
}

function presignedIn({ party, publicKey, transactions }: RecordedPresignedParty): PresignedParty | undefined {
  const key = PresignedKey.read(publicKey)
  const isSigned = key && transactions.every(({ hash, signature }) => key.add(hash, signature) === undefined)
  return isSigned ? { party, key, transactions: transactions.map(({ signature: _, ...one }) => one) } : undefined
}
