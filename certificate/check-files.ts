import { join } from 'node:path'
import { bundleFiles, digestOf } from './bundle-files.js'
import { altered, type BundleFinding, noted } from './finding.js'
import type { Subject } from './statement.js'

/** Whether every file that the statement names is there as it was, and which others are. */
export async function checkFiles(folder: string, subjects: readonly Subject[]): Promise<BundleFinding[]> {
  const there = new Set(await bundleFiles(folder))
  const named = new Set(subjects.map(({ name }) => name))
  const found = await Promise.all(
    subjects.map(async ({ name, digest }): Promise<BundleFinding[]> => {
      if (!there.has(name)) return [altered(`${name} is missing`)]
      const isSame = (await digestOf(join(folder, name))) === digest.sha256
      return isSame ? [] : [altered(`${name} was altered: it has another digest than the statement says`)]
    }),
  )
  const others = [...there].filter((name) => !named.has(name))
  return [...found.flat(), ...others.map((name) => noted(`${name} is not certified: the statement does not name it`))]
}
