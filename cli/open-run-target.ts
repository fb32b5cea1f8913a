import { plainConnection } from '../runner/target/connection/connection-settings.js'
import { openTarget } from '../runner/target/open-target.js'
import type { Settings } from '../runner/target/read-settings.js'
import type { Target } from '../runner/target/target.js'
import { type EmbeddedSimulator, startEmbedded } from './embedded-simulator.js'
import { UsageError } from './usage-error.js'

/**
 * The target of the settings; where they name none, the simulator, which the caller has to close. Throws `UsageError`,
 * `CredentialError`.
 */
export async function openRunTarget(settings: Settings): Promise<{ target: Target; simulator?: EmbeddedSimulator }> {
  if (settings.url !== undefined) return { target: await openTarget(settings, settings.url) }
  const simulator = await embedded(settings)
  try {
    // It is on this machine: nothing lies between.
    return { target: await openTarget({ ...settings, connection: plainConnection }, simulator.url), simulator }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** It checks tokens with the very key, where that is a text; it has no other way to trust us. */
function embedded({ authorization }: Settings): Promise<EmbeddedSimulator> {
  if (authorization.kind === 'none') return startEmbedded()
  if (authorization.kind === 'minted' && authorization.key.kind === 'hs256')
    return startEmbedded({ authorization: `hs256:${authorization.key.secret}` })
  throw new UsageError(
    'target: the embedded simulator takes none or a secret as authorization; name the participant that is meant',
  )
}
