import { UsageError } from '../../lib/usage-error.js'

/** Of the simulator. Throws `UsageError`. */
export function simulatedVersion(version: number): 34 | 35 {
  if (version === 34 || version === 35) return version
  throw new UsageError(`protocol-version: ${version} is not supported by the simulator; known: 34, 35`)
}
