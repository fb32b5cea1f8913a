/** The options of a resumed run. */
import { isElsewhere } from '../../lib/files/path-for-others.js'
import type { RunHeader } from '../../record/types/record.js'
import { shellWord } from '../../reports/wording/shell.js'
import { isLoopback } from '../../runner/target/connection/proxy-for.js'
import { UsageError } from '../console/usage-error.js'
import type { Flags } from './settings.js'

/**
 * The options of the interrupted run, from its record. A record does not contain callers, redactions, and folders outside the working folder; the
 * call must repeat them. Throws `UsageError` if a file is missing.
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

/** A record may come from another person: the call must confirm a target on another machine before tokens are sent. */
function targetOf(given: Flags, url: string): Flags {
  if (given['target'] !== undefined || process.env['CONFORM_TARGET'] !== undefined) return {}
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return { target: url }
  if (given['config'] !== undefined) return {}
  throw new UsageError(
    `resume: the record names the target ${url}; add --target ${shellWord(url)} to send requests there`,
  )
}

/** The recorded path, or the given one if the record does not contain the folder. */
function fileOf(given: Flags, name: 'config' | 'suite', recorded = ''): Flags {
  if (recorded === '') return {}
  if (!isElsewhere(recorded)) return { [name]: recorded }
  const now = given[name]
  if (now !== undefined) return { [name]: now }
  throw new UsageError(
    `resume: the run used --${name} ${recorded}, but its record does not contain the folder; add --${name} PATH`,
  )
}
