/** Values that differ between runs, and their places in recordings. */
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

  /** An independent copy. */
  fork(): Variables {
    return new Variables(this.#values, this.#keys)
  }

  setKey(name: string, pair: SigningKey): void {
    this.#keys.set(name, pair)
  }

  key(name: string): SigningKey {
    const found = this.#keys.get(name)
    if (!found) throw new Error(`unknown key ${name}`)
    return found
  }

  set(name: string, value: JsonValue): void {
    this.#values.set(name, value)
  }

  /** Throws for an unknown variable. */
  get(name: string): JsonValue {
    if (name === 'uuid') return randomUUID()
    const found = this.#values.get(name)
    if (found === undefined) throw new Error(`nothing was captured as ${name}`)
    return found
  }

  /** A string that is only a place becomes the value. */
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

  /** Fills the places of known strings. */
  fillKnown(value: JsonValue): JsonValue {
    return mapJson(value, (text) =>
      text.replace(place, (whole, name: string) => {
        const found = this.#values.get(name)
        return typeof found === 'string' ? found : whole
      }),
    )
  }
}

/** Applies `change` to strings and member names; `{repeat, times}` is a long string. */
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

/** Undefined if absent. */
export function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const name of pointer.split('/').slice(1)) {
    if (Array.isArray(found)) found = found.at(Number(name))
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}
