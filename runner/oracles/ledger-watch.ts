import { supportOperations } from '../../interface/operations.js'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { offsetOf, type Reader, readLedgerEnd, updatePages } from './update-pages.js'

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
    const texts = seen.map(({ text }) => text)
    return lateExcerpt(step, texts, { url: this.#url, startedAt: this.#readAt.toISOString() })
  }

  forget(marker: string): void {
    this.#byMarker.delete(marker)
  }

  #ledgerEnd(): Promise<number> {
    return readLedgerEnd(this.#readers[0]?.call)
  }

  async #readAs(reader: Reader, end: number): Promise<void> {
    for await (const page of updatePages(reader, { begin: this.#end, end }))
      for (const update of page) this.#store(update)
  }

  #store(update: JsonValue): void {
    const offset = offsetOf(update)
    const text = printJson(update)
    for (const [marker] of text.matchAll(this.#marker)) {
      const known = this.#byMarker.get(marker) ?? new Map<number, Seen>()
      this.#byMarker.set(marker, known.set(offset, { offset, text }))
    }
  }
}

/** `texts`: of the updates. `url`: of the target. */
export function lateExcerpt(
  step: number,
  texts: readonly string[],
  { url, startedAt }: { url: string; startedAt: string },
): Evidence {
  const text = `[${texts.join(',')}]`
  return {
    step,
    role: 'late-check',
    request: lateExcerptRequest(url),
    response: { status: 200, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
    startedAt,
    milliseconds: 0,
  }
}

/** Of the excerpts, which combine the answers of several requests. `url`: of the target. */
export function lateExcerptRequest(url: string): Evidence['request'] {
  const { method, path } = supportOperations.updates
  return { method, url: `${url.replace(/\/$/, '')}${path}`, headers: [] }
}
