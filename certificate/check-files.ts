import { join } from 'node:path'
import { inputReason } from '../lib/files/input-error.js'
import { bundleFiles, digestOf } from './bundle-files.js'
import { altered, type BundleFinding, noted } from './finding.js'
import type { Subject } from './statement.js'

/** Whether every file that the statement names is there as it was, and which others are. */
export async function checkFiles(folder: string, subjects: readonly Subject[]): Promise<BundleFinding[]> {
  const there = new Set(await bundleFiles(folder))
  const named = new Set(subjects.map(({ name }) => name))
  const found: BundleFinding[] = []
  // One after the other: a statement may name thousands of files.
  for (const subject of subjects) found.push(...(await checkFile(folder, subject, there)))
  const others = [...there].filter((name) => !named.has(name))
  return [...found, ...others.map((name) => noted(`${name} is not certified: the statement does not name it`))]
}

async function checkFile(
  folder: string,
  { name, digest }: Subject,
  there: ReadonlySet<string>,
): Promise<BundleFinding[]> {
  if (!there.has(name)) return [altered(`${name} is missing`)]
  try {
    const isSame = (await digestOf(join(folder, name))) === digest.sha256
    return isSame ? [] : [altered(`${name} was altered: it has another digest than the statement says`)]
  } catch (error) {
    return [altered(`${name} cannot be read (${inputReason(error)})`)]
  }
}
