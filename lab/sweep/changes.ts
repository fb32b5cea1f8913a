/** One change of a value, within its type where possible. */
import { isJsonObject, JsonNumber, type JsonValue } from '../../lib/json/json.js'

/** The change does not apply to the value. */
export const unchanged = Symbol('unchanged')

/** Undefined removes the value. */
export type Change = (value: JsonValue) => JsonValue | undefined | typeof unchanged

const ofText =
  (change: (text: string) => string): Change =>
  (value) => {
    const changed = typeof value === 'string' ? change(value) : value
    return changed === value ? unchanged : changed
  }

const ofArray =
  (change: (list: readonly JsonValue[]) => JsonValue[]): Change =>
  (value) =>
    Array.isArray(value) && value.length > 0 ? change(value) : unchanged

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/

const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** The last hexadecimal digit, or the last letter. */
const exchanged = (text: string): string =>
  text.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, (last) =>
    /[0-8]/.test(last) ? String(Number(last) + 1) : last === 'a' ? 'b' : 'a',
  )

export const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['absent', () => undefined],
  ['null', (value) => (value === null ? unchanged : null)],
  ['a text', (value) => (value === null ? 'text' : unchanged)],
  ['another boolean', (value) => (typeof value === 'boolean' ? !value : unchanged)],
  [
    'one more',
    (value) =>
      typeof value === 'number' || value instanceof JsonNumber
        ? Number(value instanceof JsonNumber ? value.text : value) + 1
        : unchanged,
  ],
  ['another text', ofText((text) => (time.test(text) ? text : exchanged(text)))],
  [
    'another time',
    ofText((text) =>
      text.replace(time, (_, seconds: string) => `${Number(seconds.slice(0, 4)) - 1}${seconds.slice(4)}Z`),
    ),
  ],
  ['less precise', ofText((text) => text.replace(time, '$1Z'))],
  ['other case', ofText((text) => (time.test(text) ? text : swapped(text)))],
  [
    'longer',
    (value) => (typeof value === 'string' ? `${value}x` : ofArray((list) => [...list, ...list.slice(-1)])(value)),
  ],
  [
    'shorter',
    (value) =>
      typeof value === 'string' ? ofText((text) => text.slice(0, -1))(value) : ofArray((list) => list.slice(1))(value),
  ],
  [
    'empty',
    (value) =>
      typeof value === 'string' ? ofText(() => '')(value) : isJsonObject(value) ? {} : ofArray(() => [])(value),
  ],
  ['other order', (value) => (Array.isArray(value) && value.length > 1 ? value.toReversed() : unchanged)],
])
