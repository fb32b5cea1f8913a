import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFolder } from '../../lib/files/folder.js'
import { outputReason } from '../../lib/files/output-error.js'
import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import { type Outgoing, outgoing } from '../../lib/outgoing.js'
import { Tally } from '../judgements/tally.js'
import type { PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import { linkEnd, linkText } from './chain.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'

/** Milliseconds for which lines wait for others: to begin a write takes longer than to judge a row. */
const moment = 10

export interface RecordWriter {
  /** Appends what became of one row of the plan; resolves when the line is with the operating system. Calls may overlap: lines never mix. */
  row(row: RowLine): Promise<void>
  /** Appends the footer that the written rows give, and closes the file. Resolves to what a reader of the file would find. */
  close(summary: RunSummary): Promise<WrittenRecord>
  /** Closes the file of a run that ended without a footer; does nothing after `close`. Node 25 and later fail for a file that is never closed. */
  release(): Promise<void>
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
  readonly #file: OutputFile
  readonly #digest = createHash('sha256')
  readonly #tally: Tally
  readonly #header: RunHeader
  readonly #plan: readonly PlanLine[]
  readonly #planned: ReadonlyMap<string, ResolvedRow>
  readonly #rows: RunRow[] = []
  #link = ''
  readonly #waiting: Outgoing[] = []
  #last: Promise<void> = Promise.resolve()
  /** The write that has not begun. */
  #next: Promise<void> | undefined
  #closed = false

  constructor(path: string, file: OutputFile, header: RunHeader, plan: readonly PlanLine[]) {
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
      const { rules: _, ...result } = this.#tally.result()
      const footer: RunFooter = { type: 'footer', ...summary, ...result, digest }
      await this.append(footer)
      const [header, plan, rows] = [this.#header, [...this.#plan], this.#rows]
      const defects = findDefects(header, { plan: plan.length, rows, footer, digest })
      return { header, plan, rows, footer, defects }
    } finally {
      await this.#file.close()
    }
  }

  async release(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    // The caller that waits for the line receives the error.
    await this.#last.catch(() => undefined)
    await this.#file.close()
  }

  /** Encoded once for the file and both hashes: a plan is tens of megabytes. */
  #chained(line: Outgoing): string {
    this.#link = createHash('sha256').update(linkText(this.#link, '')).update(line, 'utf8').digest('hex')
    return `${line.slice(0, -1)}${linkEnd(this.#link)}\n`
  }

  /** Lines that could not be written spoil the record: every later one is refused with the same error. */
  append(...lines: (RunHeader | PlanLine | RowLine | RunFooter)[]): Promise<void> {
    for (const line of lines) this.#waiting.push(outgoing(JSON.stringify(line)))
    this.#next ??= this.#last.then(() => delay(moment)).then(() => this.#write())
    this.#last = this.#next
    return this.#next
  }

  /** All lines that have come within a moment, or while others were written. */
  async #write(): Promise<void> {
    this.#next = undefined
    const lines = this.#waiting.splice(0).map((line) => this.#chained(line))
    const text = lines.join('') as Outgoing // each line is, and a hash is no secret
    try {
      await this.#file.append(text)
    } catch (cause) {
      throw unwritable(this.#path, 'a line could not be added', cause)
    }
    this.#digest.update(text, 'utf8')
  }
}

function unwritable(path: string, what: string, cause: unknown): RecordError {
  return new RecordError('unwritable', path, `${what} (${outputReason(cause)}). Check free space and permissions.`, {
    cause,
  })
}

/**
 * Starts a run record at `path`, with its header and the plan, a line for each row. Missing folders are made; an older record
 * is replaced.
 * Throws RecordError `unwritable` here or from a later call, and `closed` for calls after `close`.
 */
export async function openRecord(path: string, header: RunHeader, plan: readonly PlanLine[]): Promise<RecordWriter> {
  let file: OutputFile
  try {
    await makeFolder(dirname(path))
    file = await openOutput(path)
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
