import { UsageError } from '../../lib/usage-error.js'
import { plainConnection } from '../../runner/target/connection/connection-settings.js'
import { openTarget, type Settings } from '../../runner/target/read-settings.js'
import type { Target } from '../../runner/target/target.js'
import type { TargetAccess } from '../../runner/target/target-file.js'
import { type EmbeddedSimulator, startEmbedded } from './embedded-simulator.js'
import type { EmbeddedOptions } from './serve-simulator.js'
import { simulatedVersion } from './simulated-version.js'

export interface OpenedTarget {
  target: Target
  access: TargetAccess
  simulator?: EmbeddedSimulator
}

/** The caller closes the embedded simulator. Rejects with `UsageError` and `CredentialError`. */
export async function openRunTarget(settings: Settings, options: EmbeddedOptions = {}): Promise<OpenedTarget> {
  const { url, access, run } = settings
  if (url !== undefined) return { target: await openTarget(settings, url), access }
  const version = run.protocolVersion === undefined ? {} : { protocolVersion: simulatedVersion(run.protocolVersion) }
  const simulator = await startEmbedded({ ...options, ...version, claims: true, ...authorizationOf(settings) })
  try {
    // No proxy or TLS on this machine.
    const target = await openTarget({ ...settings, connection: plainConnection }, simulator.url)
    return { target, access: { ...access, claims: new Map([...simulator.claims, ...access.claims]) }, simulator }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

function authorizationOf({ authorization }: Settings): EmbeddedOptions {
  if (authorization.kind === 'none') return {}
  if (authorization.kind === 'minted' && authorization.key.kind === 'hs256')
    return { authorization: `hs256:${authorization.key.secret}` }
  throw new UsageError(
    'target: the embedded simulator supports only --authorization none or a secret; name a participant with --target URL',
  )
}
