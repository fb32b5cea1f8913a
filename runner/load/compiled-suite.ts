/** Reading YAML takes longer than running a few rows. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import type { Suite } from '../suite/suite.js'

const folder = new URL('../../suites/', import.meta.url)
const fileOf = (digest: string): URL => new URL(`${digest}.bin`, folder)

export async function storeCompiled({ texts: _, folder: __, ...suite }: Suite): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const file = fileOf(suite.digest)
  const part = new URL(`${file.href}.part`)
  await writeFile(part, serialize(suite))
  await rename(part, file)
}

export async function findCompiled(digest: string): Promise<Suite | undefined> {
  try {
    return deserialize(await readFile(fileOf(digest))) as Suite // written by `storeCompiled`
  } catch {
    // Another suite or another Node.
    return undefined
  }
}
