/** Only regular files up to a size: no pipe, device or huge file halts the program. See docs/decisions/0118. */
import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs'
import { InputError, systemReason } from './file-errors.js'
import { descriptorOf, kindOf } from './paths.js'

const kib = 1024
const mib = 1024 * kib

/** In bytes, for files that are read as one string; V8 limits strings to 512 MiB. */
export const longestState = 500 * mib

/** In bytes. Records are streams. */
const limits = {
  'a link file': 4 * kib,
  'a configuration file': mib,
  'a suite file': 4 * mib,
  'a key, token or secret': 64 * kib,
  'a file of certificates': 4 * mib,
  'a certificate': 16 * mib,
  'a saved finding': 16 * mib,
  'an interface text': 16 * mib,
  'a mutation report': 16 * mib,
  'a summary': 16 * mib,
  'a journal of changes': 64 * mib,
  'a DAR': 64 * mib,
  'a report': 64 * mib,
  'a run record': 1024 * mib,
  'a file of a bundle': 1024 * mib,
  'a saved state': longestState,
} as const

export type InputKind = keyof typeof limits

/** Reads open descriptors to their end. Rejects with `InputError`. */
export async function readInput(path: string, kind: InputKind): Promise<Buffer> {
  if (descriptorOf(path) === undefined) return readInputSync(path, kind)
  const chunks: Buffer[] = []
  for await (const chunk of inputBytes(path, kind)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Written by people: with U+FFFD for a wrong byte, a secret would be another secret. Other files may be cut or hostile. */
const mustBeUtf8: ReadonlySet<InputKind> = new Set(['a configuration file', 'a suite file', 'a key, token or secret'])

/**
 * Rejects with `InputError`.
 * @example await readInputText('waivers.yaml', 'a configuration file') // the text
 */
export const readInputText = async (path: string, kind: InputKind): Promise<string> =>
  decoded(await readInput(path, kind), path, kind)

/** A descriptor blocks the process. Throws `InputError`. */
export const readInputTextSync = (path: string, kind: InputKind): string =>
  decoded(readInputSync(path, kind), path, kind)

function decoded(bytes: Buffer, path: string, kind: InputKind): string {
  if (mustBeUtf8.has(kind) && !isUtf8(bytes)) throw new InputError(path, 'it is not UTF-8 text; save it as UTF-8')
  return bytes.toString('utf8')
}

/** A descriptor blocks the process. Throws `InputError`. */
export function readInputSync(path: string, kind: InputKind): Buffer {
  const descriptor = descriptorOf(path)
  if (descriptor !== undefined) return readAll(descriptor, path, kind)
  const { file, size } = openRegular(path, kind)
  try {
    return readAll(file, path, kind, size)
  } finally {
    closeSync(file)
  }
}

/** Throws `InputError`. */
export async function* inputBytes(path: string, kind: InputKind): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of opened(path, kind)) {
      length += chunk.length
      if (length > limits[kind]) throw tooLarge(path, kind)
      yield chunk
    }
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(path, systemReason(error), error)
  }
}

function opened(path: string, kind: InputKind): AsyncIterable<Buffer> {
  const descriptor = descriptorOf(path)
  // Only `process.stdin` reads all kinds of standard input.
  if (descriptor === 0) return process.stdin
  if (descriptor !== undefined) return createReadStream('', { fd: descriptor, autoClose: false })
  return createReadStream('', { fd: openRegular(path, kind).file })
}

/** Without O_NONBLOCK, a named pipe waits for a writer. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

function openRegular(path: string, kind: InputKind): { file: number; size: number } {
  let file: number
  try {
    file = openSync(path, flags)
  } catch (error) {
    throw new InputError(path, systemReason(error), error)
  }
  try {
    return { file, size: expectRegular(fstatSync(file), path, kind) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function expectRegular(found: Stats, path: string, kind: InputKind): number {
  if (!found.isFile()) throw new InputError(path, `it is ${kindOf(found)}; give a regular file`)
  if (found.size > limits[kind]) throw tooLarge(path, kind)
  return found.size
}

/** `size` is 0 for generated files, such as those in /proc. */
function readAll(file: number, path: string, kind: InputKind, size = 0): Buffer {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const chunk = Buffer.alloc(Math.max(size + 1 - length, 16 * kib))
    const read = readOnce(file, chunk, path)
    if (read === 0) return Buffer.concat(chunks)
    length += read
    if (length > limits[kind]) throw tooLarge(path, kind)
    chunks.push(chunk.subarray(0, read))
  }
}

function readOnce(file: number, chunk: Buffer, path: string): number {
  try {
    return readSync(file, chunk)
  } catch (error) {
    throw new InputError(path, systemReason(error), error)
  }
}

function tooLarge(path: string, kind: InputKind): InputError {
  const limit = limits[kind]
  const most = limit < mib ? `${limit / kib} KiB` : `${limit / mib} MiB`
  return new InputError(path, `it is larger than ${most}, the limit for ${kind}`)
}

/** Files of the program itself need no checks. Throws the error of the file system. */
export const readOwnFile = (file: URL): string => readFileSync(file, 'utf8')

export const readOwnBytes = (file: URL): Buffer => readFileSync(file)
