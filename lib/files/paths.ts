import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { systemCode } from './file-errors.js'

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
