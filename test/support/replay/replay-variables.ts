/** The values that differ from run to run, and the places for them in what was recorded. */
import { randomBytes, randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../../lib/json/json.js'
import type { SigningKey } from '../../../runner/sign/signing-key.js'

const place = /\$\{([\w.]+)\}/g
const onlyPlace = /^\$\{([\w.]+)\}$/

export class Variables {
  readonly #values: Map<string, JsonValue>
  readonly #keys: Map<string, SigningKey>

  constructor(
    values: Iterable<readonly [string, JsonValue]> = [['run', randomBytes(3).toString('hex')]],
    keys: Iterable<readonly [string, SigningKey]> = [],
  ) {
    this.#values = new Map(values)
    this.#keys = new Map(keys)
  }

  /** A copy that may go its own way. */
  fork(): Variables {
    return new Variables(this.#values, this.#keys)
  }

  setKey(name: string, pair: SigningKey): void {
    this.#keys.set(name, pair)
  }

  key(name: string): SigningKey {
    const found = this.#keys.get(name)
    if (!found) throw new Error(`there is no key ${name}`)
    return found
  }

  set(name: string, value: JsonValue): void {
    this.#values.set(name, value)
  }

  /** Throws where a variable is not known: an earlier step has gone wrong. */
  get(name: string): JsonValue {
    if (name === 'uuid') return randomUUID()
    const found = this.#values.get(name)
    if (found === undefined) throw new Error(`nothing was captured as ${name}`)
    return found
  }

  /** What is to be sent: every place filled. A text that is nothing but a place becomes the value, of whatever type. */
  fill(value: JsonValue): JsonValue {
    return mapJson(value, (text) => {
      const whole = onlyPlace.exec(text)?.[1]
      return whole === undefined ? this.fillText(text) : this.get(whole)
    })
  }

  fillText(text: string): string {
    return text.replace(place, (_, name: string) => {
      const found = this.get(name)
      return typeof found === 'string' ? found : printJson(found)
    })
  }

  /** What is expected: places of known texts filled, all others left as they are. */
  fillKnown(value: JsonValue): JsonValue {
    return mapJson(value, (text) =>
      text.replace(place, (whole, name: string) => {
        const found = this.#values.get(name)
        return typeof found === 'string' ? found : whole
      }),
    )
  }
}

/** Applies `change` to every text and every name of a member; `{repeat, times}` stands for a long text. */
function mapJson(value: JsonValue, change: (text: string) => JsonValue): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapJson(item, change))
  if (!isJsonObject(value)) return value
  const repeated = longText(value)
  if (repeated !== undefined) return repeated
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [String(change(name)), mapJson(item, change)]))
}

function longText({ repeat, times, ...more }: JsonObject): string | undefined {
  if (typeof repeat !== 'string' || typeof times !== 'number' || Object.keys(more).length > 0) return undefined
  return repeat.repeat(times)
}

/** What stands at a JSON pointer; undefined: nothing does. */
export function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const name of pointer.split('/').slice(1)) {
    if (Array.isArray(found)) found = found.at(Number(name))
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}
