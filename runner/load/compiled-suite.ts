/**
 * Suites as the build has read them, since reading their YAML takes longer than running a few of their rows. One is taken for a
 * folder whose files have the very same digest; any other folder is read from its YAML.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import type { Suite } from '../suite/suite.js'

const folder = new URL('../../suites/', import.meta.url)
const fileOf = (digest: string): URL => new URL(`${digest}.bin`, folder)

/** Leaves it where `findCompiled` looks, and no other. `names`: names of files below the folder of the suite, by those in its locations. */
export async function keepCompiled({ texts: _, ...suite }: Suite, names: ReadonlyMap<string, string>): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const file = fileOf(suite.digest)
  const part = new URL(`${file.href}.part`)
  const own = structuredClone(suite)
  renameFiles(own, names)
  await writeFile(part, serialize(own))
  await rename(part, file)
}

/** Undefined unless there is one for files of that digest. `shown`: how locations give the files, by their names below the folder. */
export async function findCompiled(digest: string, shown: ReadonlyMap<string, string>): Promise<Suite | undefined> {
  try {
    const suite = deserialize(await readFile(fileOf(digest))) as Suite // what `keepCompiled` wrote
    renameFiles(suite, shown)
    return suite
  } catch {
    // Another suite, or written by a later Node than this: the YAML is there.
    return undefined
  }
}

/** In place, in every location: readers are told of files by where they stand themselves. */
function renameFiles(value: unknown, names: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Map) {
    for (const item of value.values()) renameFiles(item, names)
  } else if (Array.isArray(value)) {
    for (const item of value) renameFiles(item, names)
  } else if ('file' in value && 'line' in value && 'column' in value) {
    value.file = names.get(String(value.file)) ?? value.file
  } else {
    for (const item of Object.values(value)) renameFiles(item, names)
  }
}
