/** The files of a bundle and their digests. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { filesBelow } from '../lib/files/folder.js'
import { inputBytes } from '../lib/files/read-input.js'
import type { Subject } from './statement.js'

export const certificateName = 'certificate.json'
export const suiteFolder = 'suite'

export type BundleFile = readonly [name: string, text: string]

/** Sorted paths below the folder, with `/`, without the certificate. Rejects with `InputError`. */
export async function bundleFiles(folder: string): Promise<string[]> {
  return (await filesBelow(folder)).map(({ name }) => name).filter((name) => name !== certificateName)
}

export const subjectsIn = async (folder: string): Promise<Subject[]> => {
  const names = await bundleFiles(folder)
  return Promise.all(names.map(async (name) => ({ name, digest: { sha256: await digestOf(join(folder, name)) } })))
}

/** SHA-256 (hex) of a file. Rejects with `InputError`. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of inputBytes(path, 'a file of a bundle')) hash.update(bytes)
  return hash.digest('hex')
}
