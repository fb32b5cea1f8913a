/** Watches for completions on behalf of all rows that wait for one, so that none of them has to ask again and again. */
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import { answerOf } from '../judge/answer.js'
import { valueAt } from '../template/pointer.js'
import type { BuiltRequest } from '../transport/build-request.js'
import type { Transport } from '../transport/transport.js'

/** Milliseconds before a target is asked again that told nothing new: some do not wait for news. */
const pause = 200

interface Waiting {
  /** Text of the submission that is waited for. */
  mentions: string
  /** Up to there everything is known. */
  begin: number
  /** Completions behind where it began, so far. */
  count: number
  told: () => void
}

export class CompletionsWatch {
  readonly #transport: Transport
  /** By what is asked, apart from where it begins. */
  readonly #lists = new Map<string, WatchedList>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Waits until a completion has come that mentions the text, behind where the request begins; at the latest for so many milliseconds.
   * Resolves to the number of completions from there up to that one; to 0 where it has not come.
   */
  async news(request: BuiltRequest, mentions: string, milliseconds: number): Promise<number> {
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
  #isAsking = false

  constructor(transport: Transport, request: BuiltRequest, body: Record<string, JsonValue>) {
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
      const one: Waiting = { mentions, begin, count: 0, told: () => leave(one.count) }
      const timer = setTimeout(() => leave(0), milliseconds)
      this.#waiting.add(one)
      if (!this.#isAsking) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.size > 0) {
      const begin = Math.min(...[...this.#waiting].map((one) => one.begin))
      const items = await this.#itemsBehind(begin)
      const news = items.filter(({ offset }) => offset > begin)
      for (const one of [...this.#waiting]) tell(one, news)
      if (news.length === 0) await delay(pause)
    }
    this.#isAsking = false
  }

  /** None where the target does not tell: whoever waits asks once more, and is told why. */
  async #itemsBehind(beginExclusive: number): Promise<{ offset: number; text: string }[]> {
    const body = Buffer.from(printJson({ ...this.#body, beginExclusive }), 'utf8')
    // Answered with the first that comes: a list of more goes on for as long as others keep coming.
    const path = withQuery(this.#request.path, { limit: '1' })
    const evidence = await this.#transport.send({ ...this.#request, path, body }, { step: 0, role: 'probe-after' })
    const list = answerOf(evidence)?.json
    return (Array.isArray(list) ? list : []).map((item) => ({
      offset: offsetIn(valueAt(item, '/completionResponse/Completion/value/offset')),
      text: printJson(item),
    }))
  }
}

function tell(one: Waiting, items: readonly { offset: number; text: string }[]): void {
  for (const { offset, text } of items) {
    if (offset <= one.begin) continue
    one.begin = offset
    one.count += 1
    if (!text.includes(one.mentions)) continue
    one.told()
    return
  }
}

/** The path with these in its query in place of what they were. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const [plain = '', query] = path.split('?', 2)
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) changed.set(name, value)
  return `${plain}?${changed}`
}

/** A place in a ledger as a target tells it, and its beginning in place of what is none: nothing that is told may keep others from being read. */
export function offsetIn(value: JsonValue | undefined): number {
  const offset = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(offset) ? offset : 0
}
