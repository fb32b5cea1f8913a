import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { linkEnd, linkText } from './chain.js'
import { findDefects } from './find-defects.js'
import type { PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from './record.js'
import { RecordError } from './record-error.js'
import type { ResolvedRow } from './resolved-row.js'
import { Tally } from './tally.js'

/** Milliseconds for which lines wait for others: to begin a write takes longer than to judge a row. */
const moment = 10

export interface RecordWriter {
  /** Appends what became of one row of the plan; resolves when the line is with the operating system. Calls may overlap: lines never mix. */
  row(row: RowLine): Promise<void>
  /** Appends the footer that the written rows give, and closes the file. Resolves to what a reader of the file would find. */
  close(summary: RunSummary): Promise<WrittenRecord>
}

/** What a run itself knows of its end. */
export type RunSummary = Pick<
  RunFooter,
  'endedAt' | 'milliseconds' | 'ended' | 'outages' | 'vetting' | 'transactions' | 'withdrawn' | 'left'
>

/** A record as it was written: reports need not read again what is at hand. */
export interface WrittenRecord extends RunRecord {
  footer: RunFooter
}

/** Lines in their order, each awaited, so that a run that is killed leaves whole lines and at most half a last one. */
class NdjsonRecord implements RecordWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #digest = createHash('sha256')
  readonly #tally: Tally
  readonly #header: RunHeader
  readonly #plan: readonly PlanLine[]
  readonly #planned: ReadonlyMap<string, ResolvedRow>
  readonly #rows: RunRow[] = []
  #link = ''
  readonly #waiting: string[] = []
  #last: Promise<void> = Promise.resolve()
  /** The write that has not begun. */
  #next: Promise<void> | undefined
  #closed = false

  constructor(path: string, file: FileHandle, header: RunHeader, plan: readonly PlanLine[]) {
    this.#path = path
    this.#file = file
    this.#tally = new Tally(header)
    this.#header = header
    this.#plan = plan
    this.#planned = new Map(plan.map(({ row }) => [row.id, row]))
  }

  row(row: RowLine): Promise<void> {
    if (this.#closed) {
      const message = `row ${row.id} came after the footer. Rows must be written before close() is called.`
      return Promise.reject(new RecordError('closed', this.#path, message))
    }
    const resolved = this.#planned.get(row.id)
    const whole = resolved && { ...row, resolved }
    this.#tally.add(whole ?? row)
    if (whole) this.#rows.push(whole)
    return this.append(row)
  }

  async close(summary: RunSummary): Promise<WrittenRecord> {
    if (this.#closed) throw new RecordError('closed', this.#path, 'the footer was written before.')
    this.#closed = true
    try {
      await this.#last
      const digest = this.#digest.copy().digest('hex')
      const footer: RunFooter = { type: 'footer', ...summary, ...this.#tally.result(), digest }
      await this.append(footer)
      const [header, plan, rows] = [this.#header, [...this.#plan], this.#rows]
      const defects = findDefects(header, { plan: plan.length, rows, footer, digest })
      return { header, plan, rows, footer, defects }
    } finally {
      await this.#file.close()
    }
  }

  /** Encoded once for the file and both hashes: a plan is tens of megabytes. */
  #chained(text: string): Buffer[] {
    const line = Buffer.from(text, 'utf8')
    this.#link = createHash('sha256').update(linkText(this.#link, '')).update(line).digest('hex')
    return [line.subarray(0, -1), Buffer.from(`${linkEnd(this.#link)}\n`, 'utf8')]
  }

  /** Lines that could not be written spoil the record: every later one is refused with the same error. */
  append(...lines: (RunHeader | PlanLine | RowLine | RunFooter)[]): Promise<void> {
    for (const line of lines) this.#waiting.push(JSON.stringify(line))
    this.#next ??= this.#last.then(() => delay(moment)).then(() => this.#write())
    this.#last = this.#next
    return this.#next
  }

  /** All lines that have come within a moment, or while others were written. */
  async #write(): Promise<void> {
    this.#next = undefined
    const bytes = Buffer.concat(this.#waiting.splice(0).flatMap((line) => this.#chained(line)))
    try {
      await writeAll(this.#file, bytes)
    } catch (cause) {
      throw unwritable(this.#path, 'a line could not be added', cause)
    }
    this.#digest.update(bytes)
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
}

function unwritable(path: string, what: string, cause: unknown): RecordError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RecordError('unwritable', path, `${what} (${why}). Check free space and permissions.`, { cause })
}

/**
 * Starts a run record at `path`, with its header and the plan, a line for each row. Missing folders are made; an older record
 * is replaced.
 * Throws RecordError `unwritable` here or from a later call, and `closed` for calls after `close`.
 */
export async function openRecord(path: string, header: RunHeader, plan: readonly PlanLine[]): Promise<RecordWriter> {
  let file: FileHandle
  try {
    await mkdir(dirname(path), { recursive: true })
    file = await open(path, 'w')
  } catch (cause) {
    throw unwritable(path, 'the run record could not be created', cause)
  }
  const record = new NdjsonRecord(path, file, header, plan)
  try {
    await record.append(header, ...plan)
  } catch (error) {
    await file.close()
    throw error
  }
  return record
}
