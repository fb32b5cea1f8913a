/** Lossless JSON: numbers keep their digits. */
import assert from 'node:assert/strict'
import t from 'tap'
import {
  excerpt,
  isJsonObject,
  JsonNumber,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printJson,
} from '../../lib/json/json.js'
import fc from '../support/records/properties.js'
import { endedWork } from './ended-work.js'

const refused = (text: string): JsonSyntaxError => {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
  throw new Error(`accepted: ${text.slice(0, 80)}`)
}

const nativeResult = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

t.test('reads and prints the values of JSON.parse', async (t) => {
  const { failed, counterexample } = fc.check(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' ', '\t', '\r\n  '), (compact, space) => {
      const text = JSON.stringify(JSON.parse(compact), null, space)
      const value = parseJson(` ${text}\n`)
      assert.deepEqual(JSON.parse(printJson(value)), JSON.parse(text))
      assert.equal(printJson(parseJson(printJson(value))), printJson(value))
    }),
    { numRuns: 300 },
  )
  t.notOk(failed, `${counterexample ?? 'three hundred values'}`)
})

t.test('accepts exactly the texts that JSON.parse accepts', async (t) => {
  const pieces = fc.constantFrom(
    ...'[]{},:"\\/0123456789.eE+-u \n\t\r\b\u0000\u007f\u2028\ufeffné',
    ...[
      'true',
      'false',
      'null',
      'NaN',
      'Infinity',
      '"a"',
      '"b":',
      '\\u00',
      '"\\ud800"',
      '1.5',
      '-0',
      '[1]',
      '{}',
      '//',
      "'",
    ],
  )
  let accepted = 0
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 7 }), (chosen) => {
      const text = chosen.join('')
      const native = nativeResult(text)
      if (!native) return void refused(text)
      accepted += 1
      assert.deepEqual(JSON.parse(printJson(parseJson(text))), native.value)
    }),
    { numRuns: 20_000 },
  )
  t.ok(accepted > 200, `${accepted} of the texts were JSON`)
})

t.test('keeps the digits of numbers that a double would change', async (t) => {
  for (const text of [
    '9223372036854775807',
    '-9223372036854775808',
    '1.50',
    '1e3',
    '1E+2',
    '-0',
    '1e400',
    '0.10',
    '1e21',
  ]) {
    const value = parseJson(text)
    t.ok(value instanceof JsonNumber && value.text === text, `${text} stays as it is`)
    t.equal(printJson([value]), `[${text}]`)
    for (const [before, after] of [
      ['[', ']'],
      ['[0,', ']'],
      ['{"a":', '}'],
    ] as const) {
      t.equal(
        printJson(parseJson(`${before} \r\n\t${text} ${after}`)),
        before + text + after,
        'with surrounding white space',
      )
    }
  }
  for (const text of ['0', '-1', '1.5', '9007199254740991', '1e+21']) t.equal(parseJson(text), Number(text))
  t.throws(() => new JsonNumber('1,"x":2'), new RangeError('not a JSON number: "1,\\"x\\":2"'))
  t.throws(() => printJson([Number.NaN]), new RangeError('NaN has no JSON form'))
  t.throws(() => printJson({ a: [1, { b: Number.POSITIVE_INFINITY }] }), new RangeError('Infinity has no JSON form'))
  t.equal(printJson({ a: [-0, 0] }), '{"a":[-0,0]}')
})

t.test('keeps digits beside strings with such numbers, quotes and backslashes', async (t) => {
  const texts = fc.array(fc.constantFrom('"', '\\', ',', '[', ':', ' ', '1.50', '-0', '1234567890123456', '1e3', 'a'))
  const numbers = fc.constantFrom('1.50', '-0', '12345678901234567890', '1e3', '7', 'true')
  const { failed, counterexample } = fc.check(
    fc.property(fc.array(fc.tuple(texts, numbers), { maxLength: 4 }), (parts) => {
      const members = parts.map(([name, number], at) => `${JSON.stringify(`${at}x${name.join('')}`)}:${number}`)
      const text = `{${members.join(',')}}`
      assert.equal(printJson(parseJson(text)), text)
    }),
    { numRuns: 500 },
  )
  t.notOk(failed, `${counterexample ?? 'five hundred texts'}`)
})

t.test('reads a text that ends within a string of a million quotes once', async (t) => {
  t.doesNotThrow(() => endedWork(() => void refused(`[1.5,"${'\\"'.repeat(1_000_000)}`)))
})

t.test('treats prototype names as ordinary members', async (t) => {
  const text = '{"__proto__":{"admin":true},"constructor":1,"toString":[{"__proto__":2}]}'
  const value = parseJson(text)
  t.ok(isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype)
  t.strictSame(Object.keys(value as object), ['__proto__', 'constructor', 'toString'])
  t.equal((value as { admin?: unknown }).admin, undefined, 'nothing is inherited')
  t.equal(printJson(value), text)
})

t.test('keeps the last of repeated members', async (t) => {
  const members = '"a":1, "b":{"a":2}, "a":3, "\\u0061":4, "__proto__":5, "__proto__":6'
  t.equal(printJson(parseJson(`{${members}}`)), '{"a":4,"b":{"a":2},"__proto__":6}')
  t.equal(
    printJson(parseJson(`{${members},"c":1e400}`)),
    '{"a":4,"b":{"a":2},"__proto__":6,"c":1e400}',
    'by the own parser',
  )
})

t.test('reads and prints any depth', async (t) => {
  const depth = 200_000
  for (const text of ['['.repeat(depth) + ']'.repeat(depth), `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`]) {
    const value = parseJson(text)
    t.ok(printJson(value) === text, 'prints back')
    t.equal(excerpt(value, 9), `${text.slice(0, 8)}…`)
  }
  t.match(refused('['.repeat(depth)).message, /expected a value, found the end at line 1, column 200001/)
})

t.test('reads a long text in linear time', async (t) => {
  const command =
    '{"commandId":"a\\"b","actAs":["alice::1220"],"tapsMaxPasses":3,"offset":9223372036854775807,"ok":true},'
  const text = `[${command.repeat(1_000_000 / command.length)}null]`
  endedWork(() => t.ok(printJson(parseJson(text)) === text))
})

t.test('keeps lone surrogates, escaped and raw', async (t) => {
  t.equal(parseJson('"\\ud83d"'), '\ud83d')
  t.equal(parseJson('"\udc00\\uD83D\\uDE00"'), '\udc00😀')
  t.equal(printJson('\ud83d'), '"\\ud83d"')
})

t.test('reports the fault and its position', async (t) => {
  const cases: [text: string, message: string, offset: number][] = [
    ['', 'not JSON: expected a value, found the end at line 1, column 1', 0],
    ['\ufeff{}', 'not JSON: expected a value, found U+FEFF at line 1, column 1', 0],
    ['{"a": NaN}', 'not JSON: expected a value, found "N" at line 1, column 7', 6],
    ['{\n  "a": 1,\n  b: 2}', 'not JSON: expected a member name in double quotes, found "b" at line 3, column 3', 14],
    ['{"a" 1}', 'not JSON: expected ":", found "1" at line 1, column 6', 5],
    ['[1 2]', 'not JSON: expected "," or "]", found "2" at line 1, column 4', 3],
    ['{"a":1', 'not JSON: expected "," or "}", found the end at line 1, column 7', 6],
    ['[1,]', 'not JSON: expected a value, found "]" at line 1, column 4', 3],
    ['{} // x', 'not JSON: expected the end of the text, found "/" at line 1, column 4', 3],
    ['01', 'not JSON: expected the end of the text, found "1" at line 1, column 2', 1],
    ['"a\tb"', 'not JSON: expected the end of the string, found U+0009 at line 1, column 3', 2],
    ['"abc', 'not JSON: expected the end of the string, found the end at line 1, column 5', 4],
    ['"\\x"', 'not JSON: expected a valid JSON escape, found "\\" at line 1, column 2', 1],
    ['"\\u12"', 'not JSON: expected a valid JSON escape, found "\\" at line 1, column 2', 1],
    ['[😀]', 'not JSON: expected a value, found U+1F600 at line 1, column 2', 1],
  ]
  for (const [text, message, offset] of cases) {
    const error = refused(text)
    t.equal(error.message, message)
    t.equal(error.offset, offset)
  }
  const { line, column } = refused('[\n\n  x]')
  t.strictSame([line, column], [3, 3])
})

t.test('excerpts are short and cannot disguise anything', async (t) => {
  t.equal(excerpt({ a: [1, 'x', null] }, 40), '{"a":[1,"x",null]}')
  t.equal(excerpt('a'.repeat(9_000_000), 5), '"aaa…')
  t.equal(excerpt('\u0000\u009b\u202e\u2028', 60), '"\\u0000\\u009b\\u202e\\u2028"')
  t.equal(excerpt('a😀b', 4), '"a…', 'a surrogate pair is not split')
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }).map((value) => parseJson(JSON.stringify(value)))
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 60 }), (value: JsonValue, length) => {
      const text = excerpt(value, length)
      assert.ok(text.length <= length)
      assert.doesNotMatch(text, /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
