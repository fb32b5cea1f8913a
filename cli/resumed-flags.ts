import type { RunHeader } from '../record/record.js'
import type { Flags } from './settings.js'

/** How a run was called that is gone on with. Who calls, and what is to be redacted, is no part of a record: it is given anew. */
export function resumedFlags(
  given: Flags,
  { target, profile, seed, concurrency, selection = {}, options = {} }: RunHeader,
): Flags {
  const { suite, protocolVersion, allow } = options
  return {
    ...(target.file && target.file.name !== '' && { config: target.file.name }),
    target: target.url,
    ...given,
    ...{ profile: profile.name, seed, concurrency },
    ...(selection.only && { only: selection.only }),
    ...(selection.not && { not: selection.not }),
    ...(selection.impact && { impact: selection.impact }),
    ...(selection.shard && { shard: `${selection.shard.index}/${selection.shard.of}` }),
    ...(suite !== undefined && { suite }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(allow && { allow }),
  }
}
