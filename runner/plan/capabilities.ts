/** What a target can do: what is known before the plan is made, and what only shows once there are parties. */
import type { Discovery } from '../provision/discover.js'
import type { ModelState } from '../provision/model.js'
import type { Target } from '../target.js'
import type { Capabilities } from './plan.js'
import type { Reach } from './reach.js'

/** Keys of contracts, and the hashing scheme V3, came with this protocol version (seen on 3.5.10). */
const firstWithKeys = 35

export const knownCapabilities = (
  { authorization }: Target,
  { synchronizerIds, externalParties }: Discovery,
  { capability }: ModelState,
  { given }: Pick<Reach, 'given'>,
): Capabilities => ({
  authorization: authorization.kind !== 'none',
  'open-access': authorization.kind === 'none',
  'one-synchronizer': synchronizerIds.length === 1,
  'several-synchronizers': synchronizerIds.length > 1,
  'external-parties': externalParties || given.size > 0,
  'conformance-model': capability,
  // Shows when a transaction is prepared, or given.
  'prepared-synchronizer': true,
  ...capabilitiesAt(undefined),
})

/** What the protocol version decides; one that is not known is taken for the newest. */
export function capabilitiesAt(version: number | undefined): Capabilities {
  const has = (what: string): true | string =>
    version === undefined || version >= firstWithKeys || `protocol version ${version} has no ${what}`
  return { 'contract-keys': has('contract keys'), 'hashing-v3': has('hashing scheme V3') }
}
