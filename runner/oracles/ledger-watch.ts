import { supportOperations } from '../../interface/operations.js'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { offsetIn } from '../execute/completions-watch.js'
import type { Caller } from '../provision/caller.js'
import { valueAt } from '../template/pointer.js'

export interface Reader {
  call: Caller
  parties: readonly string[]
}

/** Below the limit of one answer of Canton 3.5.10. */
const pageLength = 150

interface Seen {
  offset: number
  text: string
}

export class LedgerWatch {
  readonly #url: string
  readonly #readers: readonly Reader[]
  #end = 0
  #readAt = new Date()
  readonly #byMarker = new Map<string, Map<number, Seen>>()
  readonly #marker: RegExp

  constructor(url: string, readers: readonly Reader[], marker: RegExp) {
    this.#url = url
    this.#readers = readers
    this.#marker = new RegExp(marker, 'g')
  }

  /** Skips earlier updates. Throws `TargetError`. */
  async begin(): Promise<void> {
    this.#end = await this.#ledgerEnd()
  }

  /** Throws `TargetError`; the next call then reads the same range. */
  async read(): Promise<void> {
    const begun = new Date()
    const end = await this.#ledgerEnd()
    this.#readAt = begun
    if (end <= this.#end) return
    for (const reader of this.#readers) await this.#readAs(reader, end)
    this.#end = end
  }

  excerpt(marker: string, step: number): Evidence {
    const seen = [...(this.#byMarker.get(marker)?.values() ?? [])].toSorted((a, b) => a.offset - b.offset)
    const text = `[${seen.map((one) => one.text).join(',')}]`
    const { method, path } = supportOperations.updates
    return {
      step,
      role: 'late-check',
      request: { method, url: `${this.#url.replace(/\/$/, '')}${path}`, headers: [] },
      response: { status: 200, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
      startedAt: this.#readAt.toISOString(),
      milliseconds: 0,
    }
  }

  forget(marker: string): void {
    this.#byMarker.delete(marker)
  }

  async #ledgerEnd(): Promise<number> {
    const [first] = this.#readers
    return offsetIn(valueAt(await first?.call('ledger-end'), '/offset'))
  }

  async #readAs({ call, parties }: Reader, end: number): Promise<void> {
    let begin = this.#end
    for (;;) {
      const body = { beginExclusive: begin, endInclusive: end, updateFormat: formatFor(parties) }
      const query = { stream_idle_timeout_ms: '5000', limit: String(pageLength) }
      const page = await call('updates', body, query)
      const updates = Array.isArray(page) ? page : []
      for (const update of updates) begin = Math.max(begin, this.#store(update))
      if (updates.length < pageLength || begin >= end) return
    }
  }

  /** Returns the offset. */
  #store(update: JsonValue): number {
    const [[, content] = []] = Object.entries(valueAt(update, '/update') ?? {})
    const offset = offsetIn(valueAt(content, '/value/offset'))
    const text = printJson(update)
    for (const [marker] of text.matchAll(this.#marker)) {
      const known = this.#byMarker.get(marker) ?? new Map<number, Seen>()
      this.#byMarker.set(marker, known.set(offset, { offset, text }))
    }
    return offset
  }
}

const formatFor = (parties: readonly string[]): JsonValue => ({
  includeTransactions: {
    eventFormat: {
      filtersByParty: Object.fromEntries(
        parties.map((party) => [
          party,
          { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] },
        ]),
      ),
      verbose: true,
    },
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  },
})
