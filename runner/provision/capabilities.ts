/** What a target can do: what is known before the plan is made, and what only shows once there are parties. */
import type { Capabilities } from '../target/capabilities.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import type { Target } from '../target/target.js'
import type { Discovery } from './discover.js'
import type { ModelState } from './model-packages.js'
import type { Preparation } from './preparation.js'

/** Keys of contracts, and the hashing scheme V3, came with this protocol version (seen on 3.5.10). */
const firstWithKeys = 35

export const knownCapabilities = (
  { authorization, url, connection }: Target,
  { synchronizerIds, externalParties }: Discovery,
  { capability }: ModelState,
  presigned: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): Capabilities => ({
  authorization: authorization.kind !== 'none',
  'open-access': authorization.kind === 'none',
  'one-synchronizer': synchronizerIds.length > 0 ? synchronizerIds.length === 1 : 'nothing tells how many there are',
  'several-synchronizers': synchronizerIds.length > 1,
  'external-parties': presigned.size > 0 || externalParties,
  'conformance-model': capability,
  // What lies between writes requests in its own way.
  'direct-connection':
    proxyFor(new URL(url), connection) === undefined || 'the way to the target leads through a proxy',
  // Shows when a transaction is prepared, or where one is presigned.
  'prepared-synchronizer': true,
  ...capabilitiesAt(undefined),
})

/** The same once there are parties, for whom a transaction has been prepared or is presigned, and the packages were uploaded. */
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
    // Where the version knows the scheme, it is the target that does not prepare with it.
    ...(decided['hashing-v3'] === true &&
      !hashesByThirdScheme && { 'hashing-v3': 'no transaction is prepared with it' }),
    'prepared-synchronizer':
      synchronizerId !== undefined || 'no transaction is prepared or presigned, which would name the synchronizer',
  }
}

/** Where nothing is known but the protocol version. */
export const capabilitiesByVersion = (known: Capabilities, version: number | undefined): Capabilities => ({
  ...known,
  ...capabilitiesAt(version),
})

/** What the protocol version decides; one that is not known is taken for the newest. */
function capabilitiesAt(version: number | undefined): Record<'contract-keys' | 'hashing-v3', true | string> {
  const has = (what: string): true | string =>
    version === undefined || version >= firstWithKeys || `protocol version ${version} has no ${what}`
  return { 'contract-keys': has('contract keys'), 'hashing-v3': has('hashing scheme V3') }
}
