import { Scanner } from './json-scanner.js'
import { JsonNumber, type JsonObject, type JsonValue } from './json-value.js'

/** `offset`: of the later name, in UTF-16 units. */
interface DuplicateMember {
  name: string
  offset: number
}

/**
 * RFC 8259. The last of repeated members counts. As with `JSON.parse`, array indices come first. Throws
 * `JsonSyntaxError`.
 */
export function parseJson(text: string, onDuplicate?: (duplicate: DuplicateMember) => void): JsonValue {
  const found = onDuplicate ? undefined : parsedNatively(text)
  return found === undefined ? new Parser(text, onDuplicate).parse() : found
}

/** A number that a double may not preserve. */
const unsafeNumber = /(?:^|[[,:])[ \t\n\r]*(?:-0|-?\d{16}|-?\d{1,15}[.eE])/

const stringHere = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const unsafeDigits = /-0|\d{16}|\d[.eE]/

/** Whether a number may lose digits. Skips matches in strings. */
function mayLose(text: string): boolean {
  if (!unsafeNumber.test(text)) return false
  for (let at = 0; ; at = stringHere.lastIndex) {
    const quote = text.indexOf('"', at)
    if (unsafeDigits.test(text.slice(at, quote < 0 ? undefined : quote))) return true
    if (quote < 0) return false
    stringHere.lastIndex = quote
    // An unterminated string.
    if (!stringHere.test(text)) return true
  }
}

/** Undefined if it may lose digits, or for invalid JSON. */
function parsedNatively(text: string): JsonValue | undefined {
  try {
    return mayLose(text) ? undefined : (JSON.parse(text) as JsonValue) // what it returns
  } catch {
    return undefined
  }
}

/** An object, or the index of an array's first item. */
type Container = JsonObject | number

/** Without recursion: hostile texts have any depth. */
class Parser {
  readonly #scanner: Scanner
  readonly #onDuplicate: ((duplicate: DuplicateMember) => void) | undefined
  readonly #open: Container[] = []
  /** The current member of each open object. */
  readonly #names: string[] = []
  /** Items of all open arrays: arrays of final size save memory. */
  readonly #items: JsonValue[] = []

  constructor(text: string, onDuplicate: ((duplicate: DuplicateMember) => void) | undefined) {
    this.#scanner = new Scanner(text)
    this.#onDuplicate = onDuplicate
  }

  parse(): JsonValue {
    for (;;) {
      let value = this.#value()
      let container = this.#open.at(-1)
      while (container !== undefined) {
        const closed = this.#add(value, container)
        if (closed === undefined) break
        value = closed
        container = this.#open.at(-1)
      }
      if (container !== undefined) continue
      this.#scanner.end()
      return value
    }
  }

  /** Opens containers up to the first complete value. */
  #value(): JsonValue {
    for (;;) {
      if (this.#scanner.take('[')) {
        if (this.#scanner.take(']')) return []
        this.#open.push(this.#items.length)
      } else if (this.#scanner.take('{')) {
        const members: JsonObject = {}
        if (this.#scanner.take('}')) return members
        this.#name(members)
        this.#open.push(members)
      } else return scalar(this.#scanner)
    }
  }

  /** Returns the container if it ends. */
  #add(value: JsonValue, container: Container): JsonValue | undefined {
    if (typeof container === 'number') {
      this.#items.push(value)
      if (this.#scanner.take(',')) return undefined
      this.#scanner.expect(']')
      this.#open.pop()
      return this.#items.splice(container)
    }
    setMember(container, this.#names.pop() ?? '', value)
    if (this.#scanner.take(',')) {
      this.#name(container)
      return undefined
    }
    this.#scanner.expect('}')
    this.#open.pop()
    return container
  }

  #name(members: JsonObject): void {
    const { offset } = this.#scanner
    const name = this.#scanner.memberName()
    if (this.#onDuplicate && Object.hasOwn(members, name)) this.#onDuplicate({ name, offset })
    this.#names.push(name)
  }
}

function scalar(scanner: Scanner): JsonValue {
  const found = scanner.string() ?? scanner.literal()
  if (found !== undefined) return found
  const text = scanner.number()
  const rounded = Number(text)
  return String(rounded) === text ? rounded : new JsonNumber(text)
}

/** An assignment to `__proto__` would change the prototype. */
function setMember(members: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') members[name] = value
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
}
