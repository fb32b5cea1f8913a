import type { Dirent } from 'node:fs'
import { lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { InputError, OutputError, systemCode, systemReason } from './file-errors.js'
import { kindOf } from './paths.js'

const mostFiles = 10_000
const deepest = 16

export interface FoundFile {
  /** Below the folder, with `/`. */
  name: string
  /** Its files are not listed. */
  isLinkToFolder: boolean
}

/** Sorted by name. Rejects with `InputError`, also above 10,000 files or 16 levels. */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const waiting = [{ path: folder, prefix: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, prefix, depth } = next
    if (depth > deepest) throw new InputError(folder, `its folders are nested deeper than ${deepest} levels`)
    for (const entry of await entriesOf(path)) {
      const name = `${prefix}${entry.name}`
      if (entry.isDirectory()) waiting.push({ path: join(path, entry.name), prefix: `${name}/`, depth: depth + 1 })
      else found.push({ name, isLinkToFolder: entry.isSymbolicLink() && (await isFolder(join(path, entry.name))) })
    }
    if (found.length + waiting.length > mostFiles)
      throw new InputError(folder, `it contains more than ${mostFiles} files`)
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Bytes of all files below; a link counts itself. Files that disappear meanwhile count nothing. */
export async function sizeBelow(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? await sizeBelow(path) : ((await lstat(path).catch(() => undefined))?.size ?? 0)
  }
  return bytes
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    throw new InputError(path, systemReason(error), error)
  }
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true

/** Rejects with `OutputError`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeBelow(resolve(path))
  } catch (error) {
    throw error instanceof OutputError ? error : new OutputError(path, systemReason(error), error)
  }
}

/** Recursive `mkdir` below /proc never ends. */
async function makeBelow(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (found) throw new OutputError(path, `it is ${kindOf(found)} and not a folder`)
  if (dirname(path) !== path) await makeBelow(dirname(path))
  await mkdir(path).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
}
