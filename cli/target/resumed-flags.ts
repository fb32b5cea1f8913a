import { isElsewhere } from '../../lib/files/path-for-others.js'
import type { RunHeader } from '../../record/types/record.js'
import { shellWord } from '../../reports/wording/shell.js'
import { isLoopback } from '../../runner/target/connection/proxy-for.js'
import { UsageError } from '../console/usage-error.js'
import type { Flags } from './settings.js'

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
    ...targetOf(given, target.url),
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

/** A record may come from elsewhere: tokens are sent to its target without confirmation only where that is this machine. */
function targetOf(given: Flags, url: string): Flags {
  if (given['target'] !== undefined || process.env['CONFORM_TARGET'] !== undefined) return {}
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return { target: url }
  if (given['config'] !== undefined) return {}
  throw new UsageError(
    `resume: the record names the target ${url}; add --target ${shellWord(url)} to send requests there`,
  )
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
