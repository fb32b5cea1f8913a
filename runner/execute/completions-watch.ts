import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import { answerOf } from '../judge/answer.js'
import { itemsAt, valueAt } from '../template/pointer.js'
import type { BuiltRequest } from '../transport/build-request.js'
import type { Transport } from '../transport/transport.js'

/** Milliseconds after an answer without new completions: some targets answer at once. */
const pause = 200

interface Waiting {
  mentions: string
  begin: number
  count: number
  found: () => void
}

export class CompletionsWatch {
  readonly #transport: Transport
  readonly #lists = new Map<string, WatchedList>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Position of the first completion with the text, from 1; 0 after the time limit. */
  async waitFor(request: BuiltRequest, mentions: string, milliseconds: number): Promise<number> {
    const body = parseJson(request.body?.toString('utf8') ?? '{}')
    const { beginExclusive, ...same } = isJsonObject(body) ? body : {}
    const key = printJson([request.path, request.headers, same])
    const list = this.#lists.get(key) ?? new WatchedList(this.#transport, request, same)
    this.#lists.set(key, list)
    return list.wait(mentions, offsetIn(beginExclusive), milliseconds)
  }
}

class WatchedList {
  readonly #transport: Transport
  readonly #request: BuiltRequest
  readonly #body: Record<string, JsonValue>
  readonly #waiting = new Set<Waiting>()
  #isPolling = false

  constructor(transport: Transport, { connection: _, ...request }: BuiltRequest, body: Record<string, JsonValue>) {
    this.#transport = transport
    this.#request = request
    this.#body = body
  }

  wait(mentions: string, begin: number, milliseconds: number): Promise<number> {
    return new Promise((resolve) => {
      const leave = (count: number): void => {
        clearTimeout(timer)
        this.#waiting.delete(one)
        resolve(count)
      }
      const one: Waiting = { mentions, begin, count: 0, found: () => leave(one.count) }
      const timer = setTimeout(() => leave(0), milliseconds)
      this.#waiting.add(one)
      if (!this.#isPolling) void this.#poll()
    })
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    while (this.#waiting.size > 0) {
      const begin = Math.min(...[...this.#waiting].map((one) => one.begin))
      const items = await this.#itemsAfter(begin)
      const fresh = items.filter(({ offset }) => offset > begin)
      for (const one of [...this.#waiting]) deliver(one, fresh)
      if (fresh.length === 0) await delay(pause)
    }
    this.#isPolling = false
  }

  /** Empty after a failed request, which the row repeats and records. */
  async #itemsAfter(beginExclusive: number): Promise<{ offset: number; text: string }[]> {
    const body = Buffer.from(printJson({ ...this.#body, beginExclusive }), 'utf8')
    // With a larger limit the target collects completions of other rows before it answers.
    const path = withQuery(this.#request.path, { limit: '1' })
    const evidence = await this.#transport.send({ ...this.#request, path, body }, { step: 0, role: 'probe-after' })
    return itemsAt(answerOf(evidence)?.json, '').map((item) => ({
      offset: offsetIn(valueAt(item, '/completionResponse/Completion/value/offset')),
      text: printJson(item),
    }))
  }
}

function deliver(one: Waiting, items: readonly { offset: number; text: string }[]): void {
  for (const { offset, text } of items) {
    if (offset <= one.begin) continue
    one.begin = offset
    one.count += 1
    if (!text.includes(one.mentions)) continue
    one.found()
    return
  }
}

export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const [plain = '', query] = path.split('?', 2)
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) changed.set(name, value)
  return `${plain}?${changed}`
}

/** 0 if invalid, so that one wrong item does not hide others. */
export function offsetIn(value: JsonValue | undefined): number {
  const offset = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(offset) ? offset : 0
}
