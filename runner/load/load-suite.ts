import type { ProfileFile, Suite } from '../suite/suite.js'
import { unreadable } from '../yaml/findings.js'
import { readSuiteFiles, type SuiteFile, shownPath, suiteDigest, textsOf } from '../yaml/suite-files.js'
import { findCompiled } from './compiled-suite.js'

/** Suites by content, the latest last. */
const loaded = new Map<string, Suite>()

/** A run of several configurations, `verify` and a program that uses the library load few suites, often the same one. */
const loadedLimit = 4

/**
 * With a profile file of the user, the suite also has this profile; the digest covers only the folder. Equal files give the same suite again, so
 * no caller changes it. Rejects with `FindingsError`.
 * `folder` contains suite.yaml.
 * @example
 * const { profiles } = await loadSuite('suites')
 * profiles.get('interface')?.basis // 'text'
 */
export async function loadSuite(folder: string, profile?: ProfileFile): Promise<Suite> {
  const files = await filesIn(folder)
  const digest = suiteDigest(files)
  const key = JSON.stringify([digest, profile?.path, profile?.text])
  const suite = loaded.get(key) ?? (await fromFolder(folder, files, digest, profile))
  loaded.delete(key)
  loaded.set(key, suite)
  for (const oldest of [...loaded.keys()].slice(0, -loadedLimit)) loaded.delete(oldest)
  return suite.folder === folder ? suite : { ...suite, folder }
}

async function fromFolder(
  folder: string,
  files: readonly SuiteFile[],
  digest: string,
  profile: ProfileFile | undefined,
): Promise<Suite> {
  const compiled = await findCompiled(digest)
  if (!compiled) return fromYaml(folder, files, profile)
  const suite = { ...compiled, folder, texts: textsOf(files) }
  if (!profile) return suite
  const { addProfile } = await import('./read-suite.js')
  return addProfile(suite, files, profile)
}

/** Rejects with `FindingsError`. */
export async function loadFromYaml(folder: string): Promise<Suite> {
  return fromYaml(folder, await filesIn(folder))
}

async function fromYaml(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Suite> {
  // Few commands need the YAML parser.
  const { readSuite } = await import('./read-suite.js')
  return readSuite(folder, files, profile)
}

async function filesIn(folder: string): Promise<SuiteFile[]> {
  try {
    return await readSuiteFiles(folder)
  } catch (error) {
    throw unreadable('suite', shownPath(folder), error, 'name the folder that contains suite.yaml')
  }
}
