import { Scanner } from './json-scanner.js'
import { JsonNumber, type JsonObject, type JsonValue } from './json-value.js'

/** A member that stands twice in one object; `offset` is where its later name starts, in UTF-16 units. */
interface DuplicateMember {
  name: string
  offset: number
}

/**
 * Parses one JSON text (RFC 8259, nothing more) of any depth. Of several members of one name the last counts, and each
 * repetition is reported. As with `JSON.parse`, names that are array indices come first in the order of members.
 * Throws `JsonSyntaxError`.
 */
export function parseJson(text: string, onDuplicate?: (duplicate: DuplicateMember) => void): JsonValue {
  const found = onDuplicate ? undefined : parsedNatively(text)
  return found === undefined ? new Parser(text, onDuplicate).parse() : found
}

/** Where a value can stand, a number that a JavaScript number might not print back: long, negative zero, with a point or an exponent. */
const unsafeNumber = /(?:^|[[,:])[ \t\n\r]*(?:-0|-?\d{16}|-?\d{1,15}[.eE])/

const stringHere = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const unsafeDigits = /-0|\d{16}|\d[.eE]/

/**
 * Whether a number stands there that might lose something. What looks like one stands in a string nearly always; a text with a string that
 * does not end is none for `JSON.parse` anyway.
 */
function mayLose(text: string): boolean {
  if (!unsafeNumber.test(text)) return false
  for (let at = 0; ; at = stringHere.lastIndex) {
    const quote = text.indexOf('"', at)
    if (unsafeDigits.test(text.slice(at, quote < 0 ? undefined : quote))) return true
    if (quote < 0) return false
    stringHere.lastIndex = quote
    if (!stringHere.test(text)) return true
  }
}

/** What `JSON.parse` reads without loss, several times as fast; undefined where it might lose digits, or where we say what is wrong. */
function parsedNatively(text: string): JsonValue | undefined {
  try {
    return mayLose(text) ? undefined : (JSON.parse(text) as JsonValue) // what it returns
  } catch {
    return undefined
  }
}

/** An object, or where the items of an array start among those that were read. */
type Container = JsonObject | number

/** Keeps its own stack, because the nesting of a hostile text would exhaust that of the language. */
class Parser {
  readonly #scanner: Scanner
  readonly #onDuplicate: ((duplicate: DuplicateMember) => void) | undefined
  readonly #open: Container[] = []
  /** For each open object, the member that waits for its value. */
  readonly #names: string[] = []
  /** The items of all open arrays, so that each array is made in its final size: millions of tiny ones stay small. */
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

  /** Opens containers up to the first value that is complete at once, and returns that. */
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

  /** Adds to the innermost container, and returns that if it ends here; undefined when a further value follows. */
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
