import type { Profile, Suite } from '../../runner/suite/suite.js'
import { UsageError } from '../console/usage-error.js'

/** The profile of that name. Throws `UsageError`. */
export function profileOf(suite: Suite, name: string): Profile {
  const found = suite.profiles.get(name)
  if (found) return found
  throw new UsageError(`profile: there is no ${name}; known: ${[...suite.profiles.keys()].join(', ')}`)
}
