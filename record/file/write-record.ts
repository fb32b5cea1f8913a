import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { outputReason } from '../../lib/files/output-error.js'
import { type Outgoing, outgoing } from '../../lib/outgoing.js'
import { Tally } from '../judgements/tally.js'
import type { PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { SharedLine } from '../types/shared-line.js'
import { linkEnd, linkText, mayLackLink } from './chain.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'
import { openRecordFile, type RecordFile } from './record-file.js'
import { SharedValues, type StoredLines } from './share-values.js'

/** Milliseconds that lines wait for others: starting a write is slower than judging a row. */
const moment = 10

/** Each call resolves when the operating system has its lines. Calls may overlap. */
export interface RecordWriter {
  /** Writes the plan line of a row, unless it is written. */
  begin(id: string): Promise<void>
  row(row: RowLine): Promise<void>
  close(summary: RunSummary): Promise<WrittenRecord>
  release(): Promise<void>
}

export type RunSummary = Pick<
  RunFooter,
  'endedAt' | 'milliseconds' | 'ended' | 'outages' | 'vetting' | 'transactions' | 'withdrawn' | 'left'
>

export interface WrittenRecord extends RunRecord {
  footer: RunFooter
}

/** Writes in order, so a killed run has at most one incomplete line, the last. */
class NdjsonRecord implements RecordWriter {
  readonly #path: string
  readonly #file: RecordFile
  readonly #digest = createHash('sha256')
  readonly #tally: Tally
  readonly #header: RunHeader
  readonly #planOf: PlanOf
  readonly #plan = new Map<string, PlanLine>()
  readonly #rows: RunRow[] = []
  readonly #shared = new SharedValues()
  #link = ''
  readonly #waiting: Outgoing[] = []
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #closed = false

  constructor(path: string, file: RecordFile, header: RunHeader, planOf: PlanOf) {
    this.#path = path
    this.#file = file
    this.#tally = new Tally(header)
    this.#header = header
    this.#planOf = planOf
  }

  begin(id: string): Promise<void> {
    const line = this.#plan.has(id) ? undefined : this.#planOf(id)
    if (!line) return this.#last
    this.#plan.set(id, line)
    return this.append(...present(this.#shared.plan(line)))
  }

  row(row: RowLine): Promise<void> {
    if (this.#closed) {
      const message = `row ${row.id} was written after the footer. Write all rows before close().`
      return Promise.reject(new RecordError('closed', this.#path, message))
    }
    const begun = this.begin(row.id)
    const resolved = this.#plan.get(row.id)?.row
    const whole = resolved && { ...row, resolved }
    this.#tally.add(whole ?? row)
    if (whole) this.#rows.push(whole)
    return Promise.all([begun, this.append(...present(this.#shared.row(row)))]).then(() => undefined)
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
      const [header, plan, rows] = [this.#header, [...this.#plan.values()], this.#rows]
      return { header, plan, rows, footer, defects: findDefects(header, { rows, footer, digest }) }
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

  #chained(line: Outgoing): string {
    this.#link = createHash('sha256').update(linkText(this.#link, '')).update(line, 'utf8').digest('hex')
    return mayLackLink(line) ? `${line}\n` : `${line.slice(0, -1)}${linkEnd(this.#link)}\n`
  }

  /** After a failed write, rejects every line with the same error. */
  append(...lines: (RunHeader | SharedLine | PlanLine | RowLine | RunFooter)[]): Promise<void> {
    for (const line of lines) this.#waiting.push(outgoing(JSON.stringify(line)))
    this.#next ??= this.#last.then(() => delay(moment)).then(() => this.#write())
    this.#last = this.#next
    return this.#next
  }

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

const present = <T>([shared, line]: StoredLines<T>): (SharedLine | T)[] => (shared ? [shared, line] : [line])

function unwritable(path: string, what: string, cause: unknown): RecordError {
  return new RecordError('unwritable', path, `${what} (${outputReason(cause)}). Check free space and permissions.`, {
    cause,
  })
}

export type PlanOf = (id: string) => PlanLine | undefined

export function planIn(lines: readonly PlanLine[]): PlanOf {
  const byId = new Map(lines.map((line) => [line.row.id, line]))
  return (id) => byId.get(id)
}

/**
 * Creates missing folders, replaces an older record. Compresses the record if the path ends with `.gz`. Rejects with
 * `RecordError`: `unwritable`, also from later calls, and `closed`.
 */
export async function openRecord(path: string, header: RunHeader, planOf: PlanOf): Promise<RecordWriter> {
  let file: RecordFile
  try {
    file = await openRecordFile(path)
  } catch (cause) {
    throw unwritable(path, 'the run record cannot be created', cause)
  }
  const record = new NdjsonRecord(path, file, header, planOf)
  try {
    await record.append(header)
  } catch (error) {
    await file.close()
    throw error
  }
  return record
}
