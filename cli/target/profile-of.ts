import { resolve } from 'node:path'
import { inputReason } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { UsageError } from '../../lib/usage-error.js'
import { defaultProfile } from '../../reports/wording/shell.js'
import { lintProfile } from '../../runner/lint/lint-profile.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import type { Profile, ProfileFile, Suite } from '../../runner/suite/suite.js'
import { FindingsError } from '../../runner/yaml/findings.js'
import { suitePath } from '../tool/tool.js'

/**
 * Throws `UsageError`.
 *
 * @internal
 */
export function profileOf(suite: Suite, name: string): Profile {
  const found = suite.profiles.get(name)
  if (found) return found
  const known = [...suite.profiles.keys()].join(', ')
  throw new UsageError(
    `profile: unknown profile ${name}; known: ${known}. For a file of your own: --profile ./${name}.yaml`,
  )
}

export interface SuiteWithProfile {
  suite: Suite
  profile: Profile
}

interface NamedProfile {
  /** Its folder; default: the suite of this package. */
  suite?: string | undefined
  /** Of the suite, or the path of a profile file. */
  profile?: string | undefined
}

/** Rejects with `UsageError` and `FindingsError`. */
export async function loadWithProfile({
  suite: named,
  profile: name = defaultProfile,
}: NamedProfile): Promise<SuiteWithProfile> {
  const folder = suitePath(named)
  if (!isPath(name)) {
    const suite = await loadSuite(folder)
    return { suite, profile: profileOf(suite, name) }
  }
  const file = await profileFile(name)
  const suite = await loadSuite(folder, file)
  const profile = [...suite.profiles.values()].find((one) => one.file)
  if (!profile)
    throw new UsageError(`profile: ${name} defines no complete profile; name the extended one under extends`)
  const findings = lintProfile(suite, profile)
  if (findings.length > 0) throw new FindingsError('suite', findings)
  return { suite, profile }
}

const isPath = (name: string): boolean => /[/\\]|\.ya?ml$/.test(name)

/** The option is named, because the path can also come from a variable or a target file. */
async function profileFile(path: string): Promise<ProfileFile> {
  try {
    return { path: resolve(path), text: await readInputText(path, 'a suite file') }
  } catch (cause) {
    throw new UsageError(`profile: ${path} cannot be read (${inputReason(cause)})`, { cause })
  }
}
