import type { JsonObject } from '../../../lib/json/json.js'
import { printJson } from '../../../lib/json/json.js'
import type { Endpoint } from '../../http/endpoint.js'

interface Entry {
  endpoint: Endpoint | undefined
  shown: JsonObject
  /** Characters. */
  size: number
}

interface JournalLimits {
  exchanges: number
  characters: number
}

export class Journal {
  readonly #limits: JournalLimits
  #entries: Entry[] = []
  #size = 0
  #count = 0

  constructor(limits: JournalLimits = { exchanges: 1000, characters: 16 * 1024 * 1024 }) {
    this.#limits = limits
  }

  add(endpoint: Endpoint | undefined, exchange: JsonObject): void {
    this.#count += 1
    const shown = { number: this.#count, ...exchange }
    const size = printJson(shown).length
    this.#entries.push({ endpoint, shown, size })
    this.#size += size
    this.#dropOldest()
  }

  /** `operations` undefined: all. `seen` includes dropped exchanges. */
  read(operations: ReadonlySet<Endpoint> | undefined, last: number): { exchanges: JsonObject[]; seen: number } {
    const found = this.#entries.filter(({ endpoint }) => !operations || (endpoint && operations.has(endpoint)))
    return { exchanges: found.slice(-last).map(({ shown }) => shown), seen: this.#count }
  }

  clear(): void {
    this.#entries = []
    this.#size = 0
    this.#count = 0
  }

  #dropOldest(): void {
    let dropped = 0
    while (this.#entries.length - dropped > this.#limits.exchanges || this.#size > this.#limits.characters) {
      this.#size -= this.#entries[dropped]?.size ?? 0
      dropped += 1
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped)
  }
}
