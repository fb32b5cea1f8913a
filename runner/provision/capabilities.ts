import type { Capabilities } from '../target/capabilities.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import type { Target } from '../target/target.js'
import type { Discovery } from './discover.js'
import type { ModelState } from './model-packages.js'
import type { Preparation } from './preparation.js'

/** The first protocol version with contract keys and hashing scheme V3 (seen on 3.5.10). */
const firstWithKeys = 35

export const knownCapabilities = (
  { authorization, url, connection }: Target,
  { synchronizerIds, externalParties }: Discovery,
  { capability }: ModelState,
  presigned: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): Capabilities => ({
  authorization: authorization.kind !== 'none',
  'open-access': authorization.kind === 'none',
  'one-synchronizer':
    synchronizerIds.length > 0 ? synchronizerIds.length === 1 : 'the number of synchronizers is unknown',
  'several-synchronizers': synchronizerIds.length > 1,
  'external-parties': presigned.size > 0 || externalParties,
  'conformance-model': capability,
  // A proxy rewrites requests.
  'direct-connection': proxyFor(new URL(url), connection) === undefined || 'the connection uses a proxy',
  // Known once a transaction is prepared or presigned.
  'prepared-synchronizer': true,
  ...capabilitiesAt(undefined),
})

export function refinedCapabilities(
  known: Capabilities,
  version: number | undefined,
  { hashesByThirdScheme, synchronizerId }: Pick<Preparation, 'hashesByThirdScheme' | 'synchronizerId'>,
  { capability }: ModelState,
): Capabilities {
  const decided = capabilitiesAt(version)
  return {
    ...known,
    'conformance-model': capability,
    ...decided,
    ...(decided['hashing-v3'] === true &&
      !hashesByThirdScheme && { 'hashing-v3': 'the target prepares no transaction with it' }),
    'prepared-synchronizer':
      synchronizerId !== undefined || 'no prepared or presigned transaction names the synchronizer',
  }
}

export const capabilitiesByVersion = (known: Capabilities, version: number | undefined): Capabilities => ({
  ...known,
  ...capabilitiesAt(version),
})

/** An unknown version counts as the newest. */
function capabilitiesAt(version: number | undefined): Record<'contract-keys' | 'hashing-v3', true | string> {
  const has = (what: string): true | string =>
    version === undefined || version >= firstWithKeys || `protocol version ${version} has no ${what}`
  return { 'contract-keys': has('contract keys'), 'hashing-v3': has('hashing scheme V3') }
}
