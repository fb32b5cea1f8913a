/** Writes a run record. */
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

/** Milliseconds that lines wait for others, because starting a write is slower than judging a row. */
const moment = 10

export interface RecordWriter {
  /** Resolves when the operating system has the line. Calls may overlap. */
  row(row: RowLine): Promise<void>
  /** Appends the footer and closes the file. Resolves to the record as a reader returns it. */
  close(summary: RunSummary): Promise<WrittenRecord>
  /** Closes the file without a footer; does nothing after `close`. Node 25 and later fail for unclosed files. */
  release(): Promise<void>
}

export type RunSummary = Pick<
  RunFooter,
  'endedAt' | 'milliseconds' | 'ended' | 'outages' | 'vetting' | 'transactions' | 'withdrawn' | 'left'
>

/** The written record, which reports use without reading the file. */
export interface WrittenRecord extends RunRecord {
  footer: RunFooter
}

/** Writes lines in order, so a killed run has at most one incomplete line, the last. */
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
      const message = `row ${row.id} was written after the footer. Write all rows before close().`
      return Promise.reject(new RecordError('closed', this.#path, message))
    }
    const resolved = this.#planned.get(row.id)
    const whole = resolved && { ...row, resolved }
    this.#tally.add(whole ?? row)
    if (whole) this.#rows.push(whole)
    return this.append(row)
  }

  async close(summary: RunSummary): Promise<WrittenRecord> {
    if (this.#closed) throw new RecordError('closed', this.#path, 'the footer is already written.')
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

  /** Encodes once for file and hashes, because a plan has tens of megabytes. */
  #chained(line: Outgoing): string {
    this.#link = createHash('sha256').update(linkText(this.#link, '')).update(line, 'utf8').digest('hex')
    return `${line.slice(0, -1)}${linkEnd(this.#link)}\n`
  }

  /** After a failed write, every later line is rejected with the same error. */
  append(...lines: (RunHeader | PlanLine | RowLine | RunFooter)[]): Promise<void> {
    for (const line of lines) this.#waiting.push(outgoing(JSON.stringify(line)))
    this.#next ??= this.#last.then(() => delay(moment)).then(() => this.#write())
    this.#last = this.#next
    return this.#next
  }

  /** Writes all waiting lines. */
  async #write(): Promise<void> {
    this.#next = undefined
    const lines = this.#waiting.splice(0).map((line) => this.#chained(line))
    const text = lines.join('') as Outgoing // each line is, and a hash is no secret
    try {
      await this.#file.append(text)
    } catch (cause) {
      throw unwritable(this.#path, 'a line cannot be written', cause)
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
 * Writes header and plan. Creates missing folders and replaces an older record. Rejects with `RecordError`: `unwritable`, also from
 * later calls, and `closed` for calls after `close`.
 */
export async function openRecord(path: string, header: RunHeader, plan: readonly PlanLine[]): Promise<RecordWriter> {
  let file: OutputFile
  try {
    await makeFolder(dirname(path))
    file = await openOutput(path)
  } catch (cause) {
    throw unwritable(path, 'the run record cannot be created', cause)
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
