import type { RunHeader } from '../record/record.js'
import type { Flags } from './settings.js'

/** How a run was called that is gone on with. Who calls, and what is to be redacted, is no part of a record: it is given anew. */
export function resumedFlags(
  given: Flags,
  { target, profile, seed, concurrency, only, options = {} }: RunHeader,
): Flags {
  const { suite, protocolVersion, allow } = options
  return {
    ...(target.file && target.file.name !== '' && { config: target.file.name }),
    target: target.url,
    ...given,
    ...{ profile: profile.name, seed, concurrency },
    ...(only !== undefined && { only }),
    ...(suite !== undefined && { suite }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(allow && { allow }),
  }
}
