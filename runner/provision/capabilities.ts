import type { Reason } from '../../record/types/reason.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import type { Capabilities, Target } from '../target/target.js'
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
  'one-synchronizer': synchronizerIds.length > 0 ? synchronizerIds.length === 1 : { code: 'synchronizer-unknown' },
  'several-synchronizers': synchronizerIds.length > 1,
  'external-parties': presigned.size > 0 || externalParties,
  'conformance-model': capability,
  // A proxy rewrites requests.
  'direct-connection': proxyFor(new URL(url), connection) === undefined || { code: 'proxy-used' },
  // Known once a transaction is prepared or presigned.
  'prepared-synchronizer': true,
  ...capabilitiesAt(undefined),
})

export function refinedCapabilities(
  known: Capabilities,
  version: number | undefined,
  { hashesByThirdScheme, synchronizerId }: Preparation,
  { capability }: ModelState,
): Capabilities {
  const decided = capabilitiesAt(version)
  return {
    ...known,
    'conformance-model': capability,
    ...decided,
    ...(decided['hashing-v3'] === true && !hashesByThirdScheme && { 'hashing-v3': { code: 'scheme-not-prepared' } }),
    'prepared-synchronizer': synchronizerId !== undefined || { code: 'synchronizer-not-named' },
  }
}

export const capabilitiesByVersion = (known: Capabilities, version: number | undefined): Capabilities => ({
  ...known,
  ...capabilitiesAt(version),
})

/** An unknown version counts as the newest. */
function capabilitiesAt(version: number | undefined): Record<'contract-keys' | 'hashing-v3', true | Reason> {
  const has =
    version === undefined || version >= firstWithKeys || ({ code: 'protocol-version-too-low', version } as const)
  return { 'contract-keys': has, 'hashing-v3': has }
}
