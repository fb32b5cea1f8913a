/** Finds a profile of a suite. */
import type { Profile, Suite } from '../../runner/suite/suite.js'
import { UsageError } from '../console/usage-error.js'

/** Throws `UsageError` for an unknown name. */
export function profileOf(suite: Suite, name: string): Profile {
  const found = suite.profiles.get(name)
  if (found) return found
  throw new UsageError(`profile: unknown profile ${name}; known: ${[...suite.profiles.keys()].join(', ')}`)
}
