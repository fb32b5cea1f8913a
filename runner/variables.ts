import { JsonNumber, type JsonObject, type JsonValue, printJson } from '../interface/json.js'
import type { Data } from './suite.js'

export type Variables = ReadonlyMap<string, JsonValue>

/** A piece of a suite asks for a variable that nothing has set, or for a value that cannot be made. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

const whole = /^\$\{([\w.-]+)\}$/
const inside = /\$\{([\w.-]+)\}/g

/**
 * Replaces `${name}` in texts and in names of members; a text that is nothing but one variable takes the variable's own
 * type. Objects with a `$` member are made into the value they describe. Throws `VariableError`.
 */
export function fill(data: Data, variables: Variables): JsonValue {
  if (typeof data === 'string') return fillText(data, variables)
  if (Array.isArray(data)) return data.map((item) => fill(item, variables))
  if (typeof data !== 'object' || data === null) return data
  const made = make(data, variables)
  if (made !== undefined) return made
  const filled: JsonObject = {}
  for (const [name, item] of Object.entries(data)) {
    const plain = { value: fill(item, variables), writable: true, enumerable: true, configurable: true }
    // A member called __proto__ must arrive as a member.
    Object.defineProperty(filled, textOf(name, variables), plain)
  }
  return filled
}

function fillText(text: string, variables: Variables): JsonValue {
  const name = whole.exec(text)?.[1]
  return name === undefined ? textOf(text, variables) : lookUp(name, variables)
}

/** The text with its variables replaced, each spelt as asked; what is no text is printed as JSON. Throws `VariableError`. */
export function textOf(text: string, variables: Variables, spell = (value: string): string => value): string {
  return text.replace(inside, (_, name: string) => {
    const value = lookUp(name, variables)
    return spell(typeof value === 'string' ? value : printJson(value))
  })
}

function lookUp(name: string, variables: Variables): JsonValue {
  const value = variables.get(name)
  if (value === undefined) throw new VariableError(`nothing has set the variable \${${name}}`)
  return value
}

type Maker = (argument: JsonValue, others: Record<string, JsonValue>) => JsonValue | undefined

/** Values that a suite describes instead of writing them out. */
const makers: Record<string, Maker> = {
  /** `{ $repeat: a, times: 256 }` */
  $repeat: (text, { times }) =>
    typeof text === 'string' && isLength(times, text.length) ? text.repeat(times) : undefined,
  /** `{ $pad: start, with: c, to: 255 }`: the text, filled up to a length. */
  $pad: (text, { with: filler, to }) =>
    typeof text === 'string' && typeof filler === 'string' && filler !== '' && isLength(to) && to >= text.length
      ? text.padEnd(to, filler)
      : undefined,
  /** `{ $number: "9223372036854775807" }`: an integer that YAML could not hold exactly, digit by digit. */
  $number: (text) => (typeof text === 'string' && /^-?(?:0|[1-9]\d*)$/.test(text) ? new JsonNumber(text) : undefined),
  /** `{ $after: "2030-01-01T00:00:00Z", seconds: 3 }`: a timestamp that much later. */
  $after: (time, { seconds }) =>
    typeof time === 'string' && typeof seconds === 'number' ? later(time, seconds) : undefined,
  /** `{ $flip-digit: 00ab… }`: the hexadecimal text with one digit changed, so that it stays well formed. */
  '$flip-digit': (text) =>
    typeof text === 'string' && text.length > 12
      ? `${text.slice(0, 12)}${text[12] === '0' ? '1' : '0'}${text.slice(13)}`
      : undefined,
}

/** Longer texts could not be sent; a number may come from an answer. */
const longest = 64 * 1024 * 1024

const isLength = (value: JsonValue | undefined, each = 1): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value * each <= longest

/** Adds whole seconds; the fraction, which may be finer than milliseconds, stays as it is. */
function later(time: string, seconds: number): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(time)
  const start = parts ? Date.parse(`${parts[1]}Z`) : Number.NaN
  const moved = new Date(start + seconds * 1000)
  if (!parts || Number.isNaN(moved.getTime()) || !Number.isInteger(seconds)) return undefined
  const [whole = ''] = moved.toISOString().split('.')
  return whole.length === 19 ? `${whole}${parts[2] ?? ''}Z` : undefined
}

/** The members by which a suite describes a value, such as `$repeat`. */
export const makerNames: readonly string[] = Object.keys(makers)

function make(data: Record<string, Data>, variables: Variables): JsonValue | undefined {
  const name = Object.keys(data).find((key) => key.startsWith('$') && !key.startsWith('${'))
  if (name === undefined) return undefined
  const filled = Object.fromEntries(Object.entries(data).map(([key, item]) => [key, fill(item, variables)]))
  const made = makers[name]?.(filled[name] ?? null, filled)
  if (made !== undefined) return made
  throw new VariableError(
    `${name} cannot be made from ${JSON.stringify(data)}; known: ${Object.keys(makers).join(', ')}`,
  )
}
