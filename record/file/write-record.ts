import { dirname } from 'node:path'
import { outputReason } from '../../lib/files/file-errors.js'
import { makeFolder } from '../../lib/files/paths.js'
import { openOutput } from '../../lib/files/write-output.js'
import { cachedBy } from '../../lib/made-once.js'
import { type Outgoing, outgoingJson } from '../../lib/outgoing.js'
import { withOracleFindings } from '../judgements/oracle-findings.js'
import { tallyOf } from '../judgements/tally.js'
import type {
  OraclesLine,
  RecordedExchange,
  RunFooter,
  RunHeader,
  RunRecord,
  RunRow,
  RunSummary,
} from '../types/record.js'
import type { ResolvedStep } from '../types/resolved-row.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'
import { RecordFile } from './record-file.js'

/** Milliseconds between flushes. A killed run loses at most the rows since the last one. */
const flushPause = 1000

export interface WrittenRecord extends RunRecord {
  footer: RunFooter
}

/**
 * Writes in order, so a killed run has at most one incomplete line, the last. Calls may overlap. After a failed write, each
 * call rejects with the same error.
 */
export class RecordWriter {
  readonly #path: string
  readonly #file: RecordFile
  readonly #header: RunHeader
  readonly #exchanges: RecordedExchange[] = []
  readonly #rows: RunRow[] = []
  #oracles: OraclesLine | undefined
  #last: Promise<void> = Promise.resolve()
  #nextFlush: NodeJS.Timeout | undefined
  #closed = false

  constructor(path: string, file: RecordFile, header: RunHeader) {
    this.#path = path
    this.#file = file
    this.#header = header
  }

  /** The header. */
  async begin(): Promise<void> {
    await Promise.all([this.#append(outgoingJson(this.#header)), this.flush()])
  }

  /** Before all rows. */
  exchange(line: RecordedExchange): Promise<void> {
    this.#exchanges.push(line)
    return this.#append(outgoingJson(line))
  }

  /** Before `close`. */
  row(row: RunRow): Promise<void> {
    this.#rows.push(row)
    return this.#append(rowText(row))
  }

  /** After all rows. */
  oracles(line: OraclesLine): Promise<void> {
    this.#oracles = line
    return this.#append(outgoingJson(line))
  }

  /** Resolves when the operating system has all lines. */
  flush(): Promise<void> {
    clearTimeout(this.#nextFlush)
    this.#nextFlush = undefined
    return this.#after(() => this.#file.flush())
  }

  /** Once. */
  async close(summary: RunSummary): Promise<WrittenRecord> {
    this.#closed = true
    try {
      const header = this.#header
      const oracles = this.#oracles
      const rows = withOracleFindings(this.#rows, oracles?.findings)
      const { rules: _, ...result } = tallyOf(header, rows)
      await this.#last
      const { digest } = this.#file
      const footer: RunFooter = { type: 'footer', ...summary, ...result, digest }
      await Promise.all([this.#append(outgoingJson(footer)), this.flush()])
      return {
        header,
        ...(this.#exchanges.length > 0 && { exchanges: this.#exchanges }),
        rows,
        ...(oracles && { oracles }),
        footer,
        defects: findDefects(header, { rows, footer, digest }),
      }
    } finally {
      await this.#end()
    }
  }

  async release(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    // The caller that waits for the line receives the error.
    await this.flush().catch(() => undefined)
    await this.#end()
  }

  #append(line: Outgoing): Promise<void> {
    const text = `${line}\n` as Outgoing // the line is
    this.#nextFlush ??= setTimeout(() => void this.flush().catch(() => undefined), flushPause)
    return this.#after(() => this.#file.append(text))
  }

  #after(write: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        await write()
      } catch (cause) {
        throw unwritable(this.#path, 'a line cannot be written', cause)
      }
    })
    return this.#last
  }

  #end(): Promise<void> {
    clearTimeout(this.#nextFlush)
    return this.#file.close()
  }
}

/** As JSON, with the steps at the end. */
function rowText({ resolved: { steps, ...resolved }, ...row }: RunRow): Outgoing {
  const [own, ofCase] = [outgoingJson(row), outgoingJson(resolved)]
  const all = steps.map(stepText).join(',')
  return `${own.slice(0, -1)},"resolved":${ofCase.slice(0, -1)},"steps":[${all}]}}` as Outgoing // its parts are
}

/** Rows share most steps, but not the request under test: its text is not kept. */
const stepText = (step: ResolvedStep): Outgoing => (step.role === 'act' ? outgoingJson(step) : sharedText(step))

const sharedText = cachedBy((step: ResolvedStep): Outgoing => outgoingJson(step))

function unwritable(path: string, what: string, cause: unknown): RecordError {
  return new RecordError('unwritable', path, `${what} (${outputReason(cause)}). Check free space and permissions.`, {
    cause,
  })
}

/**
 * Creates missing folders, replaces an older record. Compresses the record if the path ends with `.br`. Rejects with
 * `RecordError`: `unwritable`, also from later calls.
 */
export async function openRecord(path: string, header: RunHeader): Promise<RecordWriter> {
  let file: RecordFile
  try {
    await makeFolder(dirname(path))
    file = new RecordFile(await openOutput(path), path.endsWith('.br'))
  } catch (cause) {
    throw unwritable(path, 'the run record cannot be created', cause)
  }
  const record = new RecordWriter(path, file, header)
  try {
    await record.begin()
  } catch (error) {
    await file.close()
    throw error
  }
  return record
}
