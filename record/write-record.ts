import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RunFooter, RunHeader, RunRow } from './record.js'
import { RecordError } from './record-error.js'
import { Tally } from './tally.js'

export interface RecordWriter {
  /** Appends one row; resolves when the line is with the operating system. Calls may overlap: lines never mix. */
  row(row: RunRow): Promise<void>
  /** Appends the footer that the written rows give, and closes the file. */
  close(summary: Pick<RunFooter, 'endedAt' | 'milliseconds'>): Promise<RunFooter>
}

/** One line after the other, each awaited, so that a run that is killed leaves whole lines and at most half a last one. */
class NdjsonRecord implements RecordWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #planned: number
  readonly #digest = createHash('sha256')
  readonly #tally = new Tally()
  #last: Promise<void> = Promise.resolve()
  #closed = false

  constructor(path: string, file: FileHandle, header: RunHeader) {
    this.#path = path
    this.#file = file
    this.#planned = header.planned
  }

  row(row: RunRow): Promise<void> {
    if (this.#closed) {
      const message = `row ${row.id} came after the footer. Rows must be written before close() is called.`
      return Promise.reject(new RecordError('closed', this.#path, message))
    }
    this.#tally.add(row)
    return this.append(row)
  }

  async close(summary: Pick<RunFooter, 'endedAt' | 'milliseconds'>): Promise<RunFooter> {
    if (this.#closed) throw new RecordError('closed', this.#path, 'the footer was written before.')
    this.#closed = true
    try {
      await this.#last
      const { endedAt, milliseconds } = summary
      const digest = this.#digest.copy().digest('hex')
      const footer: RunFooter = { type: 'footer', endedAt, milliseconds, ...this.#tally.result(this.#planned), digest }
      await this.append(footer)
      return footer
    } finally {
      await this.#file.close()
    }
  }

  /** A line that could not be written spoils the record: every later one is refused with the same error. */
  append(line: RunHeader | RunRow | RunFooter): Promise<void> {
    const text = `${JSON.stringify(line)}\n`
    this.#last = this.#last.then(async () => {
      try {
        await this.#file.appendFile(text)
      } catch (cause) {
        throw unwritable(this.#path, 'a line could not be added', cause)
      }
      this.#digest.update(text)
    })
    return this.#last
  }
}

function unwritable(path: string, what: string, cause: unknown): RecordError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RecordError('unwritable', path, `${what} (${why}). Check free space and permissions.`, { cause })
}

/**
 * Starts a run record at `path`, with its header as first line. Missing folders are made; an older record is replaced.
 * Throws RecordError `unwritable` here or from a later call, and `closed` for calls after `close`.
 */
export async function openRecord(path: string, header: RunHeader): Promise<RecordWriter> {
  let file: FileHandle
  try {
    await mkdir(dirname(path), { recursive: true })
    file = await open(path, 'w')
  } catch (cause) {
    throw unwritable(path, 'the run record could not be created', cause)
  }
  const record = new NdjsonRecord(path, file, header)
  try {
    await record.append(header)
  } catch (error) {
    await file.close()
    throw error
  }
  return record
}
