import { UsageError } from '../usage-error.js'

/** The message names path, cause and next step. */
export class InputError extends UsageError {
  override readonly name = 'InputError'
  readonly path: string
  /** Cause and next step, without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be read (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

export const inputReason = (error: unknown): string =>
  error instanceof InputError ? error.reason : systemReason(error)

/** `ENOENT`; empty for other errors. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EFBIG: 'the limit of the file size is reached; raise `ulimit -f`',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files in this process; raise `ulimit -n` to 256 or more',
  ENFILE: 'too many open files in the system',
  ENOMEM: 'no memory left',
  ENXIO: 'no process has the other end open',
  EAGAIN: 'it has nothing to read at the moment',
}

/** `ENOENT: no such file or folder` */
export function systemReason(error: unknown): string {
  const code = systemCode(error)
  const known = words[code]
  if (known !== undefined) return `${code}: ${known}`
  return error instanceof Error ? error.message : String(error)
}

/** The message names path, cause and next step. */
export class OutputError extends UsageError {
  override readonly name = 'OutputError'
  readonly path: string
  /** Cause and next step, without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be written (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

export const outputReason = (error: unknown): string =>
  error instanceof OutputError ? error.reason : systemReason(error)
