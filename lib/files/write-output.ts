/**
 * The only way to write a file that a user names. A regular or missing file is replaced as a whole; a device, a named pipe or an open
 * descriptor is written directly; everything else is refused. docs/decisions/0118 says why.
 */
import { constants, type Stats, writeFile } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { type Outgoing, outgoing } from '../outgoing.js'
import { descriptorOf, kindOf } from './descriptor.js'
import { OutputError } from './output-error.js'
import { realPathOf } from './real-path.js'
import { replaceFile, writeAll } from './replace-file.js'
import { systemCode, systemReason } from './system-error.js'

/** Rejects with `OutputError`. */
export async function writeOutput(path: string, content: string): Promise<void> {
  const text = outgoing(content)
  try {
    const descriptor = descriptorOf(path)
    if (descriptor !== undefined) return await writeTo(descriptor, text)
    const found = await existing(path)
    if (found === undefined || found.isFile())
      return await replaceFile(await realPathOf(path), [text], found && { mode: found.mode & 0o777 })
    if (found.isCharacterDevice() || found.isFIFO()) return await writeDirectly(path, text)
    throw new OutputError(path, `it is ${kindOf(found)}; name a file`)
  } catch (error) {
    throw outputError(path, error)
  }
}

/** A file that is written line by line. */
export class OutputFile {
  readonly #file: FileHandle

  constructor(file: FileHandle) {
    this.#file = file
  }

  append(text: Outgoing): Promise<void> {
    return writeAll(this.#file, Buffer.from(text, 'utf8'))
  }

  /** Bytes of a record that is copied as it is: its digests hold it, and the run that wrote it has cleaned it. */
  copy(bytes: Buffer): Promise<void> {
    return writeAll(this.#file, bytes)
  }

  /** Resolves when what was appended is on disk. */
  sync(): Promise<void> {
    return this.#file.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Opens a regular file, which is emptied or made, or a device, to be written line by line. Rejects with `OutputError`. */
export async function openOutput(path: string): Promise<OutputFile> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a reader.
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

/** Undefined: nothing is there. */
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
  // Fails at once where no process reads a named pipe; the second opening then does not wait for one.
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

/** Standard output and standard error go through Node's streams, which keep what was printed before in its place. */
const writeTo = (descriptor: number, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve())
    if (descriptor === 1) process.stdout.write(text, done)
    else if (descriptor === 2) process.stderr.write(text, done)
    else writeFile(descriptor, text, done)
  })
