/** The files of a bundle and their digests. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Subject } from './statement.js'

/** Of the file in a bundle that certifies all others. */
export const certificateName = 'certificate.json'
/** Folder of the suite as it was read: rules, situations, profiles, cases. */
export const suiteFolder = 'suite'

/** Paths below the folder with `/`, in their order, but that of the certificate. Rejects with what the file system says. */
export async function bundleFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, sep).length).split(sep).join('/'))
  return names.filter((name) => name !== certificateName).sort()
}

export const subjectsIn = async (folder: string): Promise<Subject[]> => {
  const names = await bundleFiles(folder)
  return Promise.all(names.map(async (name) => ({ name, digest: { sha256: await digestOf(join(folder, name)) } })))
}

/** SHA-256 (hex) of a file. Rejects with what the file system says. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
