import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Characters of one write. */
const pieceLength = 1024 * 1024

interface Replacing {
  /** Permission bits; default: of a new file. */
  mode?: number
  /**
   * Fixed name of the temporary file, so a killed process leaves at most one. Requires a single writer.
   */
  temporary?: string
}

/**
 * Syncs file and folder. `path`: a regular or missing file, without symbolic links. Rejects with file system errors.
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

/** A write may accept only a part. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
}

/** Rejects with file system errors. */
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

export const moveAside = (path: string, to: string): Promise<void> => rename(path, to)

const temporaryBeside = (path: string): string => join(dirname(path), `.${randomBytes(6).toString('hex')}.part`)

/** Some file systems do not support it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
