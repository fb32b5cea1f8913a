import type { Dirent } from 'node:fs'
import { mkdir, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { InputError, OutputError, systemCode, systemReason } from './file-errors.js'

/** The file may be missing. Rejects with file system errors. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    const link = await readlink(path).catch(() => undefined)
    if (link !== undefined) return realPathOf(resolve(dirname(path), link))
    return join(await realpath(dirname(path)), basename(path))
  }
}

/** Also by a link. False for a missing file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [found, known] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  )
  return found !== undefined && known !== undefined && found.dev === known.dev && found.ino === known.ino
}

/** Replaces folders in messages and records. */
const elsewhere = '.../'

/** Relative below the current directory, otherwise `.../` and the last part. */
export function pathForOthers(path: string): string {
  const below = relative(process.cwd(), path)
  const parts = below.split(sep)
  const isOutside = parts[0] === '..' || /^(?:[/\\]|[A-Za-z]:)/.test(below)
  return isOutside ? `${elsewhere}${parts.at(-1) ?? ''}` : parts.join('/')
}

export const isElsewhere = (path: string): boolean => path.startsWith(elsewhere)

const form = /^\/(?:dev\/(?:fd\/(?<dev>\d{1,6})|(?<stream>std(?:in|out|err)))|proc\/self\/fd\/(?<proc>\d{1,6}))$/

/** The user opened it, so pipes, sockets and terminals are permitted. */
export function descriptorOf(path: string): number | undefined {
  const { dev, stream, proc } = form.exec(path)?.groups ?? {}
  if (stream !== undefined) return ['stdin', 'stdout', 'stderr'].indexOf(stream)
  const number = dev ?? proc
  return number === undefined ? undefined : Number(number)
}

export function kindOf(found: {
  isFile(): boolean
  isDirectory(): boolean
  isFIFO(): boolean
  isSocket(): boolean
  isCharacterDevice(): boolean
}): string {
  if (found.isFile()) return 'a file'
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a named pipe'
  if (found.isSocket()) return 'a socket'
  return found.isCharacterDevice() ? 'a device' : 'a block device'
}

/** Each system reads a path with `/` in the same way, and prints it on one line. */
export const isPortable = (path: string): boolean => !/[\p{Cc}\\]/u.test(path)

const mostFiles = 10_000
const deepest = 16

interface FoundFile {
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
