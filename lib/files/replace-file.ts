/** A file that is replaced as a whole, so that no reader ever sees a part of it. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Characters that are written at once. */
const pieceLength = 1024 * 1024

interface Replacing {
  /** Permission bits; those of a new file unless given. */
  mode?: number
  /** The temporary file beside it, for a file that this process alone writes: a killed process then leaves one at most. */
  temporary?: string
}

/**
 * Writes a temporary file in the same folder and renames it. The content is on disk before the rename, and the rename before
 * this resolves, as far as the file system can tell. `path`: without symbolic links, of a regular file or a missing one. Rejects with the error of the file system.
 */
export async function replaceFile(path: string, pieces: Iterable<string>, replacing: Replacing = {}): Promise<void> {
  const folder = dirname(path)
  const { temporary = temporaryBeside(path) } = replacing
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx')
  try {
    try {
      if (replacing.mode !== undefined) await file.chmod(replacing.mode)
      for (const piece of joined(pieces)) await writeAll(file, Buffer.from(piece, 'utf8'))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

function* joined(pieces: Iterable<string>): Generator<string> {
  let together = ''
  for (const piece of pieces) {
    together += piece
    if (together.length < pieceLength) continue
    yield together
    together = ''
  }
  yield together
}

/** A system may take less than it was given. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
}

/** Makes a symbolic link, or replaces one as a whole. Rejects with the error of the file system. */
export async function replaceLink(path: string, target: string): Promise<void> {
  const temporary = temporaryBeside(path)
  try {
    await symlink(target, temporary, 'dir')
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Keeps what is there under another name. Rejects with the error of the file system. */
export const moveAside = (path: string, to: string): Promise<void> => rename(path, to)

const temporaryBeside = (path: string): string => join(dirname(path), `.${randomBytes(6).toString('hex')}.part`)

/** Not every file system can, and not every folder may be read; the file is in its place already. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
