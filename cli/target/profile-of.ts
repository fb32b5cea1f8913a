import { resolve } from 'node:path'
import { inputReason } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { UsageError } from '../../lib/usage-error.js'
import { lintProfile } from '../../runner/lint/lint-profile.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import type { Profile, ProfileFile, Suite } from '../../runner/suite/suite.js'
import { FindingsError } from '../../runner/yaml/findings.js'

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

/** `name`: a profile of the suite, or the path of a profile file. Rejects with `UsageError` and `FindingsError`. */
export async function loadWithProfile(folder: string, name: string): Promise<SuiteWithProfile> {
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
