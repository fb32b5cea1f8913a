import { isElsewhere } from '../lib/files/path-for-others.js'
import type { RunHeader } from '../record/record.js'
import type { Flags } from './settings.js'
import { UsageError } from './usage-error.js'

/**
 * How a run was called that is gone on with. Who calls, what is to be redacted, and the folders of files that lie elsewhere are no part
 * of a record: they are given anew. Throws `UsageError` where such a file is not given.
 */
export function resumedFlags(
  given: Flags,
  { target, profile, seed, concurrency, selection = {}, options = {} }: RunHeader,
): Flags {
  const { suite, protocolVersion, allow } = options
  return {
    ...fileOf(given, 'config', target.file?.name),
    target: target.url,
    ...given,
    ...{ profile: profile.name, seed, concurrency },
    ...(selection.operations && { operations: selection.operations }),
    ...(selection.only && { only: selection.only }),
    ...(selection.not && { not: selection.not }),
    ...(selection.impact && { impact: selection.impact }),
    ...(selection.shard && { shard: `${selection.shard.index}/${selection.shard.of}` }),
    ...fileOf(given, 'suite', suite),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(allow && { allow }),
  }
}

/** A file or folder as the record has it, or as it is given where the record does not say where it is. */
function fileOf(given: Flags, name: 'config' | 'suite', recorded = ''): Flags {
  if (recorded === '') return {}
  if (!isElsewhere(recorded)) return { [name]: recorded }
  const now = given[name]
  if (now !== undefined) return { [name]: now }
  throw new UsageError(
    `resume: the run used --${name} ${recorded}; its record does not say where that is: add --${name}`,
  )
}
