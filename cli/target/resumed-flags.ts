import { camelCase } from '../../lib/camel-case.js'
import { isElsewhere } from '../../lib/files/paths.js'
import { isLoopback } from '../../lib/loopback.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RunHeader } from '../../record/types/record.js'
import { shellWord } from '../../reports/wording/shell.js'
import { variableOf } from './setting-options.js'
import type { Flags } from './settings.js'

/** By option, from the record. */
const restored: Readonly<Record<string, (header: RunHeader) => unknown>> = {
  profile: ({ profile }) => (profile.file ? undefined : profile.name),
  seed: ({ seed }) => seed,
  concurrency: ({ concurrency }) => concurrency,
  operations: ({ selection }) => selection?.operations,
  only: ({ selection }) => selection?.only,
  not: ({ selection }) => selection?.not,
  impact: ({ selection }) => selection?.impact,
  shard: ({ selection }) => selection?.shard && `${selection.shard.index}/${selection.shard.of}`,
  'protocol-version': ({ options }) => options?.protocolVersion,
  allow: ({ options }) => options?.allow,
}

/** The call repeats callers, redactions, and folders outside the working folder. Throws `UsageError` if a file is missing. */
export function resumedFlags(given: Flags, header: RunHeader): Flags {
  const { target, profile, options = {} } = header
  const recorded = Object.entries(restored).map(([name, valueIn]) => [camelCase(name), valueIn(header)] as const)
  return {
    ...fileOf(given, 'config', target.file?.name),
    ...targetOf(given, target.url),
    ...given,
    ...Object.fromEntries(recorded.filter(([, value]) => value !== undefined)),
    ...fileOf(given, 'suite', options.suite),
    ...fileOf(given, 'profile', profile.file?.path),
  }
}

function targetOf(given: Flags, url: string): Flags {
  if (requiresTarget(url, given, process.env))
    throw new UsageError(
      `resume: the record names the target ${url}; add --target ${shellWord(url)} to send requests there`,
    )
  return isLocal(url) && !isNamed(given, process.env) ? { target: url } : {}
}

/** A record may come from another person: the call confirms the receiver of tokens. */
const requiresTarget = (url: string, given: Flags, environment: NodeJS.ProcessEnv): boolean =>
  !isNamed(given, environment) && !isLocal(url) && given['config'] === undefined

const isNamed = (given: Flags, environment: NodeJS.ProcessEnv): boolean =>
  given['target'] !== undefined || environment[variableOf('target')] !== undefined

const isLocal = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname)

function fileOf(given: Flags, name: 'config' | 'suite' | 'profile', recorded = ''): Flags {
  if (recorded === '') return {}
  if (!isElsewhere(recorded)) return { [name]: recorded }
  const now = given[name]
  if (now !== undefined) return { [name]: now }
  // The target file can name it.
  if (given['config'] !== undefined) return {}
  throw new UsageError(
    `resume: the run used --${name} ${recorded}, but its record does not contain the folder; add --${name} PATH`,
  )
}
