/** Replaces regular files atomically; writes devices, named pipes and descriptors directly. See docs/decisions/0118. */

import { randomBytes } from 'node:crypto'
import { constants, type Stats, writeFile } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Outgoing, outgoing } from '../outgoing.js'
import { OutputError, systemCode, systemReason } from './file-errors.js'
import { descriptorOf, kindOf, realPathOf } from './paths.js'

/** `mode`: permission bits of a new file. Rejects with `OutputError`. */
export async function writeOutput(path: string, content: string, mode?: number): Promise<void> {
  const text = outgoing(content)
  try {
    const descriptor = descriptorOf(path)
    if (descriptor !== undefined) return await writeTo(descriptor, text)
    const found = await existing(path)
    if (found === undefined || found.isFile())
      return await replaceFile(await realPathOf(path), [text], modeOf(found, mode))
    if (found.isCharacterDevice() || found.isFIFO()) return await writeDirectly(path, text)
    throw new OutputError(path, `it is ${kindOf(found)}; name a file`)
  } catch (error) {
    throw outputError(path, error)
  }
}

function modeOf(found: Stats | undefined, mode: number | undefined): Replacing {
  if (found !== undefined) return { mode: found.mode & 0o777 }
  return mode === undefined ? {} : { mode }
}

/** Replaces a link, not its target: the folder may be from elsewhere. Rejects with `OutputError`. */
export async function replaceEntry(path: string, content: string): Promise<void> {
  try {
    await replaceFile(path, [outgoing(content)])
  } catch (error) {
    throw outputError(path, error)
  }
}

/** Appends in place, not atomically. Rejects with `OutputError`. */
export async function appendOutput(path: string, content: string): Promise<void> {
  const text = outgoing(content)
  try {
    const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK = 0 } = constants
    // Without O_NONBLOCK, a named pipe waits for a reader.
    const file = await open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile() && !found.isCharacterDevice())
        throw new OutputError(path, `it is ${kindOf(found)}; name a file`)
      await writeAll(file, Buffer.from(text, 'utf8'))
    } finally {
      await file.close()
    }
  } catch (error) {
    throw outputError(path, error)
  }
}

export class OutputFile {
  readonly #file: FileHandle

  constructor(file: FileHandle) {
    this.#file = file
  }

  append(text: Outgoing): Promise<void> {
    return writeAll(this.#file, Buffer.from(text, 'utf8'))
  }

  /** Unchanged, because digests cover redacted records. */
  copy(bytes: Buffer): Promise<void> {
    return writeAll(this.#file, bytes)
  }

  /** Resolves when all bytes are on disk. */
  sync(): Promise<void> {
    return this.#file.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Rejects with `OutputError`. */
export async function openOutput(path: string): Promise<OutputFile> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK, a named pipe waits for a reader.
    file = await open(path, constants.O_WRONLY | constants.O_CREAT | (constants.O_NONBLOCK ?? 0))
    const found = await file.stat()
    if (found.isFile()) await file.truncate()
    else if (!found.isCharacterDevice()) throw new OutputError(path, `it is ${kindOf(found)}; name a file`)
    return new OutputFile(file)
  } catch (error) {
    await file?.close()
    throw outputError(path, error)
  }
}

const outputError = (path: string, error: unknown): OutputError =>
  error instanceof OutputError ? error : new OutputError(path, systemReason(error), error)

async function existing(path: string): Promise<Stats | undefined> {
  if (path === '' || path === '-') throw new OutputError(path, 'it is not the name of a file; /dev/stdout prints')
  try {
    return await stat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeDirectly(path: string, text: string): Promise<void> {
  // Fails immediately if no process reads a named pipe.
  const trial = await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0))
  try {
    const file = await open(path, constants.O_WRONLY | (constants.O_NOCTTY ?? 0))
    try {
      await writeAll(file, Buffer.from(text, 'utf8'))
    } finally {
      await file.close()
    }
  } finally {
    await trial.close()
  }
}

/** Node's streams keep the order of outputs. */
const writeTo = (descriptor: number, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve())
    if (descriptor === 1) process.stdout.write(text, done)
    else if (descriptor === 2) process.stderr.write(text, done)
    else writeFile(descriptor, text, done)
  })

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
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
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
