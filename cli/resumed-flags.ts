import type { RunHeader } from '../record/record.js'
import type { RunFlags } from './run-flags.js'

/** How a run was called that is gone on with. Who calls, and what is to be redacted, is no part of a record: it is given anew. */
export function resumedFlags(
  given: RunFlags,
  { target, profile, seed, concurrency, only, options = {} }: RunHeader,
): RunFlags {
  const { suite, protocolVersion, allowUpload } = options
  return {
    ...{ profile: profile.name, seed, concurrency },
    ...{ out: given.out, redact: given.redact, maxTime: given.maxTime, color: given.color },
    ...(target.file ? { config: target.file.name } : {}),
    target: given.target ?? target.url,
    ...(given.config !== undefined && { config: given.config }),
    ...(given.authorization !== undefined && { authorization: given.authorization }),
    ...(only !== undefined && { only }),
    ...(suite !== undefined && { suite }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(allowUpload && { allowUpload }),
  }
}
