/** Daml-LF values as JSON. */
import { deepStrictEqual } from 'node:assert/strict'
import t from 'tap'
import type { DamlType, Field } from '../../../daml/schema/schema.js'
import type { DamlValue } from '../../../interface/daml-value.js'
import { type JsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { checkDaml } from '../../../simulator/json/daml-check.js'
import { DamlJsonError, decodeDaml } from '../../../simulator/json/daml-decode.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import { anyValue } from '../../support/ledgers/any-daml-value.js'
import { packages } from '../../support/ledgers/model-packages.js'
import fc from '../../support/records/properties.js'
import { accepted, id, refused, refusedLater, type TypeName, types, unchanged } from './daml-json-table.js'

const { int64, text, timestamp, record: nested } = types

t.test('returns accepted values in canonical form', (t) => {
  for (const [name, sent, shown] of accepted) {
    const type = types[name]
    const value = decodeDaml(type, sent)
    const expected = shown === unchanged ? sent : shown
    t.same(checkDaml(type, value), [], `${name} ${printJson(sent)} passes the later checks`)
    t.equal(printJson(encodeDaml(type, value)), printJson(expected), `${name} ${printJson(sent)}`)
  }
  t.end()
})

function errorOf(run: () => unknown): DamlJsonError | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof DamlJsonError) return error
    throw error
  }
  return undefined
}

t.test('rejects JSON that is not a value of the type, with the kind of the fault', (t) => {
  for (const [name, sent, kind, message] of refused) {
    const error = errorOf(() => decodeDaml(types[name], sent))
    t.equal(error?.kind, kind, `${name} ${printJson(sent)}`)
    if (message !== undefined) t.match(error?.message, message)
  }
  t.end()
})

t.test('names the missing fields of a large record as the reference does', (t) => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map((label): Field => [label, int64])
  const error = errorOf(() => decodeDaml({ type: 'record', id, fields }, { a: '1', b: '1', c: '1', d: '1' }))
  t.equal(error?.message, 'Missing non-optional fields: HashSet(e)')
  t.end()
})

t.test('later layers reject values that the JSON layer accepts', (t) => {
  for (const [name, sent, layers, message] of refusedLater) {
    const type = types[name]
    const value = decodeDaml(type, sent)
    const found = checkDaml(type, value)
    t.same(
      found.map(({ layer }) => layer),
      layers,
      `${name} ${printJson(sent)}`,
    )
    t.match(found[0]?.message, message)
  }
  t.end()
})

t.test('reports the first problem of each layer, in the order of the layers', (t) => {
  const fields: Field[] = [
    ['text', text],
    ['amounts', { type: 'list', of: types.decimal }],
    ['owner', types.party],
  ]
  const type: DamlType = { type: 'record', id, fields }
  const value = decodeDaml(type, { text: '\u0000', amounts: ['0.12345678901', '1e3'], owner: '!' })
  t.match(checkDaml(type, value), [
    { layer: 'request', message: /1e3/ },
    { layer: 'preprocessing', message: /null character/ },
  ])
  t.end()
})

t.test('treats members with names of built-in properties as data', (t) => {
  const sent = parseJson('{"__proto__":"1","constructor":"2","hasOwnProperty":"3"}')
  const value = decodeDaml(types.textMap, sent)
  t.equal(printJson(encodeDaml(types.textMap, value)), printJson(sent))
  t.equal(errorOf(() => decodeDaml(nested, parseJson('{"a":"1","b":"b","__proto__":1}')))?.kind, 'invalid-argument')
  t.equal(
    errorOf(() => decodeDaml(types.variant, Object.create({ tag: 'Circle', value: '5' })))?.kind,
    'invalid-argument',
  )
  t.end()
})

t.test('shortens long input in messages', (t) => {
  const huge = 'x'.repeat(1_000_000)
  const nest: JsonValue = Array.from({ length: 10_000 }).reduce<JsonValue>((inner) => [inner], [])
  for (const [name, sent] of [
    ['int64', huge],
    ['int64', '9'.repeat(5_000_000)],
    ['int64', nest],
    ['date', huge],
    ['enum', huge],
    ['variant', { tag: huge, value: {} }],
    ['record', { a: '1', b: 'b', [huge]: 1 }],
  ] satisfies [TypeName, JsonValue][]) {
    const error = errorOf(() => decodeDaml(types[name], sent))
    t.ok(error && error.message.length < 300, name)
  }
  const [problem] = checkDaml(types.decimal, decodeDaml(types.decimal, huge))
  t.ok(problem && problem.message.length < 300)
  t.end()
})

t.test('sorts map keys of all types in Daml order', (t) => {
  const orders: [key: DamlType, sorted: JsonValue[]][] = [
    [types.bool, [false, true]],
    [types.decimal, ['-10.0000000000', '-9.0000000000', '0.0000000000', '9.5000000000', '10.0000000000']],
    [text, ['', 'a', 'aa', 'b', 'é', '\uffee', '😀']],
    [types.date, ['1969-12-31', '1970-01-01', '2030-01-01']],
    [timestamp, ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00Z']],
    [types.optional, [null, '', 'a']],
    [types.list, [[], ['-2'], ['1'], ['1', '5'], ['10']]],
    [types.textMap, [{}, { a: '2' }, { a: '10' }, { b: '1' }]],
    [
      nested,
      [
        { a: '2', b: 'z' },
        { a: '10', b: 'a' },
        { a: '10', b: 'a', c: '' },
        { a: '10', b: 'b' },
      ],
    ],
    [
      types.variant,
      [
        { tag: 'Circle', value: '9' },
        { tag: 'Circle', value: '10' },
        { tag: 'Empty', value: {} },
      ],
    ],
    [types.enum, ['Red', 'Green', 'Blue']],
    [types.genMap, [[], [['1', 'a']], [['1', 'b']], [['2', 'a']]]],
    [types.unit, [{}]],
  ]
  for (const [key, sorted] of orders) {
    const type: DamlType = { type: 'genMap', key, of: { type: 'unit' } }
    const sent = sorted.toReversed().map((item): JsonValue => [item, {}])
    const shown = encodeDaml(type, decodeDaml(type, [...sent, ...sent]))
    t.same(
      shown,
      sorted.map((item) => [item, {}]),
      key.type,
    )
  }
  t.end()
})

t.test('shows a contract of an older version without its missing Optionals', (t) => {
  const older: DamlValue = {
    kind: 'record',
    id,
    fields: [
      ['a', { kind: 'int64', value: 1n }],
      ['b', { kind: 'text', value: '' }],
    ],
  }
  t.same(encodeDaml(nested, older), { a: '1', b: '' })
  t.throws(() => encodeDaml(nested, { kind: 'record', id, fields: [] }), /no value of the type int64/)
  t.throws(() => encodeDaml(types.list, older), /a Daml record is no value of the type list/)
  t.end()
})

t.test('encodes and decodes all values of AllTypes without a change', (t) => {
  const allTypes = packages.flatMap(({ templates }) => templates).find(({ id: { entity } }) => entity === 'AllTypes')
  if (!allTypes) throw new Error('no template AllTypes')
  const wholeType: DamlType = { ...allTypes.argument, fields: [...allTypes.argument.fields, ['thrice', types.thrice]] }
  const seen = new Set<string>()
  fc.assert(
    fc.property(anyValue(wholeType), (value) => {
      const answered = encodeDaml(wholeType, value)
      for (const name of Object.keys(answered as JsonObject)) seen.add(name) // records print as objects
      deepStrictEqual(decodeDaml(wholeType, parseJson(printJson(answered))), value)
      deepStrictEqual(checkDaml(wholeType, value), [])
    }),
    { numRuns: 200 },
  )
  t.equal(seen.size, wholeType.fields.length, 'all fields were tested')
  t.end()
})
