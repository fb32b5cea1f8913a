import { deflateRawSync } from 'node:zlib'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { changeText } from '../wording/change-text.js'
import { detailsOf, type PackedPart, type PageRun, pageRow } from './page-data.js'
import { PassedRows } from './passed-rows.js'

/** A compromise between time to unpack a block and size of the page. */
const blockSize = 50

const million = 1_000_000

/** Characters kept of each body, by packed size so far: a page of more than 9 million characters is slow to open. */
const bodyLimits = [
  { upTo: 5 * million, body: 20_000 },
  { upTo: 7 * million, body: 4000 },
  { upTo: 8 * million, body: 1000 },
  { upTo: Number.POSITIVE_INFINITY, body: 200 },
] as const

/**
 * The requests and answers of rows, packed in blocks while a record is read, so that whole rows are not in memory. The
 * page unpacks blocks when needed.
 */
export class PackedRows {
  /** Deflated JSON in base64. */
  readonly blocks: string[] = []
  readonly #parts = new Map<string, PackedPart>()
  readonly #passed = new PassedRows()
  /** As JSON: objects of many rows would need several times the memory. */
  #open: string[] = []
  #size = 0

  /** Returns what the other reports need of the row. `configuration`: from 1. */
  add(row: RunRow, configuration = row.configuration): RunRow {
    const { id, resolved, verdict } = row
    const { body } = bodyLimits.find(({ upTo }) => this.#size < upTo) ?? bodyLimits[3]
    this.#parts.set(keyOf({ id, configuration }), {
      block: this.blocks.length,
      place: this.#open.length,
      change: changeText(resolved),
    })
    this.#open.push(JSON.stringify(detailsOf(row, body)))
    if (this.#open.length === blockSize) this.#close()
    return verdict === 'pass' ? this.#passed.reduce(row) : row
  }

  /** Of the rows of a record, which were added. */
  run({ header, rows }: RunRecord): string {
    if (this.#open.length > 0) this.#close()
    const shown = rows.flatMap((row) => {
      const part = this.#parts.get(keyOf(row))
      return part ? [pageRow(row, part)] : []
    })
    return pack(JSON.stringify({ header, rows: shown } satisfies PageRun))
  }

  #close(): void {
    const block = pack(`[${this.#open.join(',')}]`)
    this.#open = []
    this.#size += block.length
    this.blocks.push(block)
  }
}

const keyOf = ({ id, configuration = 1 }: { id: string; configuration?: number | undefined }): string =>
  `${configuration} ${id}`

const pack = (json: string): string => deflateRawSync(outgoing(json)).toString('base64')
