import type { ProfileFile, Suite } from '../suite/suite.js'
import { unreadable } from '../yaml/findings.js'
import { digestOf, readSuiteFiles, type SuiteFile, shownPath, textsOf } from '../yaml/suite-files.js'
import { findCompiled } from './compiled-suite.js'

/** With a profile file of the user, the suite also has this profile; the digest covers only the folder. Rejects with `FindingsError`. */
export async function loadSuite(folder: string, profile?: ProfileFile): Promise<Suite> {
  const files = await filesIn(folder)
  if (profile) return fromYaml(folder, files, profile)
  const compiled = await findCompiled(digestOf(files))
  return compiled ? { ...compiled, folder, texts: textsOf(files) } : fromYaml(folder, files)
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
