/** Watches for completions on behalf of all rows that wait for one, so that none of them has to ask again and again. */
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../interface/json.js'
import { answerOf } from '../judge/answer.js'
import { valueAt } from '../template/pointer.js'
import type { BuiltRequest } from './build-request.js'
import { offsetIn } from './ledger-offset.js'
import type { Transport } from './transport.js'

const pause = 200

interface Waiting {
  /** Text of the submission that is waited for. */
  mentions: string
  begin: number
  told: () => void
}

export class CompletionsWatch {
  readonly #transport: Transport
  /** By what is asked, apart from where it begins. */
  readonly #lists = new Map<string, WatchedList>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Resolves once a completion has come that mentions the text, behind where the request begins; at the latest after so many milliseconds. */
  async news(request: BuiltRequest, mentions: string, milliseconds: number): Promise<void> {
    const body = parseJson(request.body?.toString('utf8') ?? '{}')
    const { beginExclusive, ...same } = isJsonObject(body) ? body : {}
    const key = printJson([request.path, request.headers, same])
    const list = this.#lists.get(key) ?? new WatchedList(this.#transport, request, same)
    this.#lists.set(key, list)
    await list.wait(mentions, offsetIn(beginExclusive), milliseconds)
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

  wait(mentions: string, begin: number, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const told = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(one)
        resolve()
      }
      const one: Waiting = { mentions, begin, told }
      const timer = setTimeout(told, milliseconds)
      this.#waiting.add(one)
      if (!this.#isAsking) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.size > 0) {
      const begin = Math.min(...[...this.#waiting].map((one) => one.begin))
      const items = await this.#itemsBehind(begin)
      const end = Math.max(begin, ...items.map(({ offset }) => offset))
      for (const one of [...this.#waiting]) {
        if (items.some(({ offset, text }) => offset > one.begin && text.includes(one.mentions))) one.told()
        // Up to there nothing is of it.
        else one.begin = Math.max(one.begin, end)
      }
      await delay(pause)
    }
    this.#isAsking = false
  }

  /** None where the target does not tell: whoever waits asks once more, and is told why. */
  async #itemsBehind(beginExclusive: number): Promise<{ offset: number; text: string }[]> {
    const body = Buffer.from(printJson({ ...this.#body, beginExclusive }), 'utf8')
    const evidence = await this.#transport.send({ ...this.#request, body }, { step: 0, role: 'probe-after' })
    const list = answerOf(evidence)?.json
    return (Array.isArray(list) ? list : []).map((item) => ({
      offset: offsetIn(valueAt(item, '/completionResponse/Completion/value/offset')),
      text: printJson(item),
    }))
  }
}
