import { plainConnection } from '../../runner/target/connection/connection-settings.js'
import { openTarget } from '../../runner/target/open-target.js'
import type { Settings } from '../../runner/target/read-settings.js'
import type { Target } from '../../runner/target/target.js'
import type { TargetAccess } from '../../runner/target/target-file.js'
import { UsageError } from '../console/usage-error.js'
import { type EmbeddedSimulator, startEmbedded } from './embedded-simulator.js'
import type { EmbeddedOptions } from './serve-simulator.js'

export interface OpenedTarget {
  target: Target
  /** What is known of it: as the settings say, and what the embedded simulator holds. */
  access: TargetAccess
  simulator?: EmbeddedSimulator
}

/**
 * The target of the settings; where they name none, the simulator, which the caller has to close. Throws `UsageError`,
 * `CredentialError`.
 */
export async function openRunTarget(settings: Settings, options: EmbeddedOptions = {}): Promise<OpenedTarget> {
  const { url, access } = settings
  if (url !== undefined) return { target: await openTarget(settings, url), access }
  const simulator = await startEmbedded({ ...options, claims: true, ...authorizationOf(settings) })
  try {
    // It is on this machine: nothing lies between.
    const target = await openTarget({ ...settings, connection: plainConnection }, simulator.url)
    return { target, access: { ...access, claims: new Map([...simulator.claims, ...access.claims]) }, simulator }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** It checks tokens with the very key, where that is a text; it has no other way to trust us. */
function authorizationOf({ authorization }: Settings): Pick<EmbeddedOptions, 'authorization'> {
  if (authorization.kind === 'none') return {}
  if (authorization.kind === 'minted' && authorization.key.kind === 'hs256')
    return { authorization: `hs256:${authorization.key.secret}` }
  throw new UsageError(
    'target: the embedded simulator takes none or a secret as authorization; name the participant that is meant',
  )
}
