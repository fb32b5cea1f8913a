import { behindCut, cutText } from '../redaction/cut-text.js'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.js'

/** Any depth, unchanged numbers. Throws a RangeError for NaN and infinities. */
export function printJson(value: JsonValue): string {
  return isPrintedNatively(value, deepest) ? JSON.stringify(value) : print(value, Number.POSITIVE_INFINITY)
}

/** Levels of safe recursion. */
const deepest = 100

function isPrintedNatively(value: JsonValue, levels: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isPrintedNatively(item, levels - 1))
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
  const text = undisguised(print(value, maxLength))
  return text.length <= maxLength ? text : cutText(undisguised(print(value, maxLength + behindCut)), maxLength)
}

const undisguised = (text: string): string =>
  text.replace(disguises, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Level = { items: JsonValue[]; next: number } | { members: JsonObject; names: string[]; next: number }

/** Stops above `enough` characters. */
function print(root: JsonValue, enough: number): string {
  const levels: Level[] = []
  let text = printStart(root, levels, enough)
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
    else text += printStart(value, levels, enough)
  }
  return text
}

/** Prints a scalar, or opens a container. */
function printStart(value: JsonValue, levels: Level[], enough: number): string {
  if (typeof value === 'string') return quote(value, enough)
  if (value instanceof JsonNumber) return value.text
  if (Array.isArray(value)) {
    levels.push({ items: value, next: 0 })
    return '['
  }
  if (isJsonObject(value)) {
    levels.push({ members: value, names: Object.keys(value), next: 0 })
    return '{'
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} has no JSON form`)
  return Object.is(value, -0) ? '-0' : String(value)
}

const quote = (text: string, enough: number): string =>
  JSON.stringify(text.length > enough ? text.slice(0, enough + 1) : text)
