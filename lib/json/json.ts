/** Keeps digits of numbers, reports repeated members, accepts any depth. */
import { behindCut, cutText } from '../redaction/redaction.js'
import { Scanner } from './json-scanner.js'

export { JsonSyntaxError } from './json-scanner.js'

export type JsonValue = null | boolean | number | JsonNumber | string | JsonValue[] | JsonObject

/** Every member is an own property, including `__proto__`. Check external names with `Object.hasOwn`. */
export interface JsonObject {
  [name: string]: JsonValue
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export const isNumberText = (text: string): boolean => numberForm.test(text)

/** A number that a double does not preserve: `9223372036854775807`, `1.50`, `1e3`, `-0`. */
export class JsonNumber {
  readonly text: string

  /** Throws a RangeError. */
  constructor(text: string) {
    if (!numberForm.test(text)) throw new RangeError(`not a JSON number: ${JSON.stringify(text.slice(0, 40))}`)
    this.text = text
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/**
 * RFC 8259. The last of repeated members counts. As with `JSON.parse`, array indices come first. Throws
 * `JsonSyntaxError`.
 * @example parseJson('{ "offset": 7, "amount": 1.50 }') // { offset: 7, amount: JsonNumber of 1.50 }
 */
export function parseJson(text: string): JsonValue {
  const found = parsedNatively(text)
  return found === undefined ? new Parser(text).parse() : found
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
  readonly #open: Container[] = []
  /** The current member of each open object. */
  readonly #names: string[] = []
  /** Items of all open arrays: arrays of final size save memory. */
  readonly #items: JsonValue[] = []

  constructor(text: string) {
    this.#scanner = new Scanner(text)
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
        this.#name()
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
      this.#name()
      return undefined
    }
    this.#scanner.expect('}')
    this.#open.pop()
    return container
  }

  #name(): void {
    this.#names.push(this.#scanner.memberName())
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
export function setMember(members: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') members[name] = value
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Any depth, unchanged numbers. Throws a RangeError for NaN and infinities. */
export function printJson(value: JsonValue): string {
  return isPrintedNatively(value, deepest) ? JSON.stringify(value) : printStyled(value, Number.POSITIVE_INFINITY)
}

/** Levels of safe recursion. */
const deepest = 100

function isPrintedNatively(value: JsonValue, levels: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (levels === 0) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isPrintedNatively(item, levels - 1)) return false
    return true
  }
  if (!isJsonObject(value)) return false
  for (const name in value) {
    const member = value[name]
    if (member === undefined || !isPrintedNatively(member, levels - 1)) return false
  }
  return true
}

// Control characters, bidirectional marks and invisible breaks can disguise a message.
const disguises = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** At most `maxLength` UTF-16 units, without disguising characters. */
export function excerpt(value: JsonValue, maxLength: number): string {
  const text = undisguised(printStyled(value, maxLength))
  return text.length <= maxLength ? text : cutText(undisguised(printStyled(value, maxLength + behindCut)), maxLength)
}

const undisguised = (text: string): string =>
  text.replace(disguises, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Level = { items: JsonValue[]; next: number } | { members: JsonObject; names: string[]; next: number }

export interface JsonStyle {
  number(value: number | JsonNumber): string
  /** In the order of the text. */
  namesOf(members: JsonObject): string[]
}

const plain: JsonStyle = { number: unchanged, namesOf: Object.keys }

function unchanged(value: number | JsonNumber): string {
  if (value instanceof JsonNumber) return value.text
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON form`)
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Without recursion. Stops above `enough` characters. */
export function printStyled(root: JsonValue, enough: number, style = plain): string {
  const levels: Level[] = []
  let text = printStart(root, style, levels, enough)
  for (let level = levels.at(-1); level && text.length <= enough; level = levels.at(-1)) {
    const comma = level.next === 0 ? '' : ','
    let value: JsonValue | undefined
    if ('items' in level) {
      value = level.items[level.next]
      text += value === undefined ? ']' : comma
    } else {
      const name = level.names[level.next]
      value = name === undefined ? undefined : level.members[name]
      text += name === undefined ? '}' : `${comma}${quote(name, enough)}:`
    }
    level.next += 1
    if (value === undefined) levels.pop()
    else text += printStart(value, style, levels, enough)
  }
  return text
}

/** Prints a scalar, or opens a container. */
function printStart(value: JsonValue, style: JsonStyle, levels: Level[], enough: number): string {
  if (typeof value === 'string') return quote(value, enough)
  if (typeof value === 'number' || value instanceof JsonNumber) return style.number(value)
  if (Array.isArray(value)) {
    levels.push({ items: value, next: 0 })
    return '['
  }
  if (isJsonObject(value)) {
    levels.push({ members: value, names: style.namesOf(value), next: 0 })
    return '{'
  }
  return String(value)
}

const quote = (text: string, enough: number): string =>
  JSON.stringify(text.length > enough ? text.slice(0, enough + 1) : text)
