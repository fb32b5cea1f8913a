import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from './system-error.js'

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
