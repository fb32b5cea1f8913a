/**
 * Suites as the build has read them, since reading their YAML takes longer than running a few of their rows. One is taken for a
 * folder whose files have the very same digest; any other folder is read from its YAML.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import type { Suite } from '../suite/suite.js'

const folder = new URL('../../suites/', import.meta.url)
const fileOf = (digest: string): URL => new URL(`${digest}.bin`, folder)

/** Leaves it where `findCompiled` looks, and no other. */
export async function storeCompiled({ texts: _, folder: __, ...suite }: Suite): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const file = fileOf(suite.digest)
  const part = new URL(`${file.href}.part`)
  await writeFile(part, serialize(suite))
  await rename(part, file)
}

/** Undefined unless there is one for files of that digest. */
export async function findCompiled(digest: string): Promise<Suite | undefined> {
  try {
    return deserialize(await readFile(fileOf(digest))) as Suite // what `keepCompiled` wrote
  } catch {
    // Another suite, or written by a later Node than this: the YAML is there.
    return undefined
  }
}
