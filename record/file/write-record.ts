import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { constants, createGzip } from 'node:zlib'
import { outputReason } from '../../lib/files/file-errors.js'
import { makeFolder } from '../../lib/files/paths.js'
import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import { type Outgoing, outgoing } from '../../lib/outgoing.js'
import { withOracleFindings } from '../judgements/oracle-findings.js'
import { tallyOf } from '../judgements/tally.js'
import type { OraclesLine, PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import { linkEnd, linkText, mayLackLink } from './chain.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'
import { SharedValues } from './share-values.js'

/** Milliseconds between writes. Long shared lines compress better, and a killed run loses at most the last second. */
const shortestPause = 10
const longestPause = 1000
/** Part of the time since the record was opened, so a short run has short pauses. */
const pausePart = 0.1

/** Each call resolves when the operating system has its lines. Calls may overlap. */
export interface RecordWriter {
  /** Writes the plan line of a row, unless it is written. */
  begin(id: string): Promise<void>
  row(row: RowLine): Promise<void>
  /** After all rows. */
  oracles(line: OraclesLine): Promise<void>
  /** Writes all lines now. */
  flush(): Promise<void>
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
  readonly #header: RunHeader
  readonly #planOf: PlanOf
  readonly #plan = new Map<string, PlanLine>()
  readonly #rows: RunRow[] = []
  #oracles: OraclesLine | undefined
  readonly #shared: SharedValues
  #link = ''
  readonly #opened = performance.now()
  #written = 0
  #waiting: Outgoing[] = []
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Ends the pause before the next write. */
  #hurry: (() => void) | undefined
  #isUrgent = false
  #closed = false

  constructor(path: string, file: RecordFile, header: RunHeader, planOf: PlanOf) {
    this.#path = path
    this.#file = file
    this.#header = header
    this.#shared = new SharedValues(header)
    this.#planOf = planOf
  }

  begin(id: string): Promise<void> {
    const line = this.#plan.has(id) ? undefined : this.#planOf(id)
    if (!line) return this.#last
    this.#plan.set(id, line)
    return this.append(this.#shared.plan(line))
  }

  row(row: RowLine): Promise<void> {
    if (this.#closed) {
      const message = `row ${row.id} was written after the footer. Write all rows before close().`
      return Promise.reject(new RecordError('closed', this.#path, message))
    }
    const begun = this.begin(row.id)
    const resolved = this.#plan.get(row.id)?.row
    if (resolved) this.#rows.push({ ...row, resolved })
    return Promise.all([begun, this.append(this.#shared.row(row, resolved))]).then(() => undefined)
  }

  oracles(line: OraclesLine): Promise<void> {
    this.#oracles = line
    return this.append(this.#shared.oracles(line))
  }

  flush(): Promise<void> {
    this.#isUrgent = this.#next !== undefined
    this.#hurry?.()
    return this.#last
  }

  async close(summary: RunSummary): Promise<WrittenRecord> {
    if (this.#closed) throw new RecordError('closed', this.#path, 'the footer is already written.')
    this.#closed = true
    try {
      await this.flush()
      const digest = this.#digest.copy().digest('hex')
      const oracles = this.#oracles
      const rows = withOracleFindings(this.#rows, oracles?.findings)
      const { rules: _, ...result } = tallyOf(this.#header, rows)
      const footer: RunFooter = { type: 'footer', ...summary, ...result, digest }
      const ended = this.append(footer)
      await Promise.all([ended, this.flush()])
      const header = this.#header
      return {
        header,
        plan: [...this.#plan.values()],
        rows,
        ...(oracles && { oracles }),
        footer,
        defects: findDefects(header, { rows, footer, digest }),
      }
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

  #chained(line: Outgoing, isLast: boolean): string {
    this.#link = createHash('sha256').update(linkText(this.#link, '')).update(line, 'utf8').digest('hex')
    return mayLackLink(line) && !isLast ? `${line}\n` : `${line.slice(0, -1)}${linkEnd(this.#link)}\n`
  }

  /** After a failed write, rejects every line with the same error. */
  append(line: RunHeader | PlanLine | RowLine | OraclesLine | RunFooter): Promise<void> {
    this.#waiting.push(outgoing(JSON.stringify(line)))
    this.#next ??= this.#last.then(() => this.#pause()).then(() => this.#write())
    this.#last = this.#next
    return this.#next
  }

  async #pause(): Promise<void> {
    const now = performance.now()
    const whole = Math.min(longestPause, Math.max(shortestPause, (now - this.#opened) * pausePart))
    const left = this.#written + whole - now
    if (left <= 0 || this.#isUrgent) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** All new shared values stand before the lines that refer to them. */
  async #write(): Promise<void> {
    this.#next = undefined
    this.#hurry = undefined
    this.#isUrgent = false
    this.#written = performance.now()
    const shared = this.#shared.takeLine()
    const waiting = [...(shared ? [outgoing(JSON.stringify(shared))] : []), ...this.#waiting]
    this.#waiting = []
    const lines = waiting.map((line, index) => this.#chained(line, index === waiting.length - 1))
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

/** Calls must not overlap. */
interface RecordFile {
  /** Resolves when the operating system has the text. */
  append(text: Outgoing): Promise<void>
  close(): Promise<void>
}

/** Rejects with `OutputError`. */
async function openRecordFile(path: string): Promise<RecordFile> {
  await makeFolder(dirname(path))
  const file = await openOutput(path)
  return path.endsWith('.gz') ? new CompressedFile(file) : file
}

/** Every append ends with a flush, so a killed run keeps what it wrote. */
class CompressedFile implements RecordFile {
  readonly #file: OutputFile
  readonly #gzip = createGzip({ level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL })
  #compressed: Buffer[] = []

  constructor(file: OutputFile) {
    this.#file = file
    this.#gzip.on('data', (bytes: Buffer) => this.#compressed.push(bytes))
  }

  async append(text: Outgoing): Promise<void> {
    this.#gzip.write(text, 'utf8')
    await new Promise<void>((resolve) => this.#gzip.flush(constants.Z_SYNC_FLUSH, resolve))
    await this.#copy()
  }

  async close(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#gzip.once('end', resolve).once('error', reject).end()
      })
      await this.#copy()
    } finally {
      await this.#file.close()
    }
  }

  #copy(): Promise<void> {
    return this.#file.copy(Buffer.concat(this.#compressed.splice(0)))
  }
}
