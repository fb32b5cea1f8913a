// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
/** Values that meet each matcher, and values that do not. `undefined` is an absent member. */
import { JsonNumber, type JsonValue } from '../../../lib/json/json.js'
import type { Data, MatcherName } from '../../../record/types/resolved-row.js'

interface Line {
  wanted: Data
  met: (JsonValue | undefined)[]
  unmet: (JsonValue | undefined)[]
}

const number = (text: string): JsonNumber => new JsonNumber(text)
const hostile = JSON.parse('{"__proto__":{"a":1}}') as JsonValue // a member of that name, not a prototype
const later = '2026-02-28T12:00:00.1Z'

export const matcherTable: Readonly<Record<MatcherName, Line[]>> = {
  equals: [
    {
      wanted: { a: [1, { b: null }], c: 'x' },
      met: [
        { c: 'x', a: [1, { b: null }] },
        { c: 'x', a: [number('1.0'), { b: null }] },
      ],
      unmet: [undefined, null, { a: [1, { b: null }] }, { a: [1, {}], c: 'x' }, { a: ['1', { b: null }], c: 'x' }],
    },
    {
      wanted: 1,
      met: [1, number('1.0'), number('10e-1')],
      unmet: ['1', true, [1], 2, number('1.0000000000000000001')],
    },
    { wanted: 0, met: [0, number('-0'), number('0e7')], unmet: [false, null, '', undefined, number('1e-400')] },
    { wanted: null, met: [null], unmet: [undefined, 'null', {}, []] },
    { wanted: { a: '[redacted]' }, met: [{ a: '[redacted]' }], unmet: [hostile] },
    { wanted: {}, met: [{}], unmet: [[], null, hostile, undefined] },
    { wanted: '${big}', met: [number('9007199254740993')], unmet: [number('9007199254740992'), '9007199254740993'] },
    { wanted: ['${text}'], met: [['a.c']], unmet: ['a.c', ['abc']] },
  ],
  'one-of': [
    { wanted: ['a', 1, null], met: ['a', 1, null, number('1.00')], unmet: [undefined, 'b', ['a'], 0] },
    { wanted: '${text}', met: [], unmet: ['a.c', undefined, 'a'] },
  ],
  type: [
    { wanted: 'string', met: ['', 'a'], unmet: [undefined, null, 1, [], {}] },
    {
      wanted: 'integer',
      met: [0, -7, number('9223372036854775808'), number('1e3'), number('2.0')],
      unmet: [1.5, '1', number('1e-1'), undefined, number('1.50')],
    },
    { wanted: 'number', met: [1.5, number('1.50')], unmet: ['1.5', null, undefined] },
    { wanted: 'boolean', met: [true, false], unmet: ['true', 0, undefined] },
    { wanted: 'array', met: [[]], unmet: [{}, undefined, ''] },
    { wanted: 'object', met: [{}, hostile], unmet: [[], null, number('1.0'), undefined] },
    { wanted: 'null', met: [null], unmet: [undefined, 0, 'null'] },
    { wanted: 'constructor', met: [], unmet: [{}, [], 'constructor', undefined] },
  ],
  pattern: [
    { wanted: 'a.c|b', met: ['abc', 'b', 'a\nc'], unmet: [undefined, 'xabc', 'abcx', 'b\n', 1, ['b'], null] },
    { wanted: '${text}-\\d+', met: ['a.c-7'], unmet: ['abc-7', 'a.c-', undefined] },
    { wanted: '.', met: ['\u{1f600}'], unmet: ['', 'ab'] },
  ],
  grammar: [
    { wanted: 'userId', met: ['alice', "a@b'`"], unmet: ['', 'a b', undefined, 7, 'a'.repeat(129)] },
    { wanted: 'contractId', met: [`00${'ab'.repeat(32)}`], unmet: [`00${'AB'.repeat(32)}`, '00', undefined] },
    { wanted: 'toString', met: [], unmet: ['a', undefined] },
  ],
  present: [
    { wanted: true, met: [null, 0, '', [], {}, false], unmet: [undefined] },
    { wanted: false, met: [undefined], unmet: [null, 0, '', [], {}] },
  ],
  null: [
    { wanted: true, met: [null], unmet: [undefined, 0, '', 'null'] },
    { wanted: false, met: [0, '', [], {}, 'a'], unmet: [null, undefined] },
  ],
  empty: [
    { wanted: true, met: ['', [], {}], unmet: [undefined, null, 0, false, ' ', [null], hostile] },
    { wanted: false, met: [' ', [null], { a: 1 }, hostile], unmet: ['', [], {}, undefined, null, 0, 7, true] },
  ],
  unpopulated: [
    { wanted: true, met: [undefined, null, '', 0, number('0.00'), false, [], {}], unmet: ['0', 1, true, [0], hostile] },
    { wanted: false, met: ['0', 1, true, [0], hostile], unmet: [undefined, null, '', 0, number('-0'), false, [], {}] },
  ],
  timestamp: [
    {
      wanted: true,
      met: ['2026-02-28T12:00:00Z', later, '2024-02-29T23:59:59.123456789Z', '0000-01-01T00:00:00Z'],
      unmet: [
        undefined,
        0,
        '2026-02-30T12:00:00Z',
        '2026-13-01T12:00:00Z',
        '2026-02-28T24:00:00Z',
        '2026-02-28T12:00:00',
        '2026-02-28T12:00:00+00:00',
        '2026-02-28T12:00:00.1234567890Z',
        ' 2026-02-28T12:00:00Z',
        '2026-02-28T12:00:00Z\n',
      ],
    },
    { wanted: false, met: ['soon', 0, null], unmet: [undefined, later] },
  ],
  'same-time': [
    {
      wanted: later,
      met: [later, '2026-02-28T12:00:00.100000Z', '2026-02-28T13:30:00.1+01:30', '1772280000100', 'yesterday'],
      unmet: [undefined, null, '', 1772280000100, '2026-02-28T12:00:00Z', '2026-02-28T12:00:00.1+01:00', [later]],
    },
    { wanted: { $after: later, seconds: 3 }, met: ['2026-02-28T12:00:03.1Z'], unmet: [later] },
  ],
  'not-before': [
    {
      wanted: later,
      met: [later, '2026-02-28T12:00:00.2Z', '2026-02-28T11:30:00-01:00', 'soon'],
      unmet: [undefined, '', '2026-02-28T12:00:00.099999999Z', '2026-02-28T12:30:00+01:00', 7],
    },
  ],
  'same-set': [
    {
      wanted: ['a', { b: 1, c: 2 }],
      met: [
        ['a', { c: 2, b: 1 }],
        [{ b: number('1.0'), c: 2 }, 'a'],
      ],
      unmet: [undefined, 'a', ['a'], ['a', 'a'], ['a', { b: 1, c: 2 }, 'a'], ['a', { b: 1 }], { a: 1 }],
    },
    { wanted: [], met: [[]], unmet: [undefined, null, {}, '', ['a']] },
    { wanted: '${text}', met: [], unmet: [[], ['a.c'], undefined] },
  ],
  'same-items': [
    {
      wanted: { as: [{ id: 'a', more: 1 }, { id: 'b' }], by: 'id' },
      met: [[{ id: 'b', more: 2 }, { id: 'a' }]],
      unmet: [
        undefined,
        null,
        [],
        [{ id: 'a' }],
        [{ id: 'a' }, { id: 'a' }],
        [{ id: 'a' }, { id: 'c' }],
        [{ id: 'a' }, {}],
        ['a', 'b'],
      ],
    },
    { wanted: { as: 'no list', by: 'id' }, met: [], unmet: [[], 'no list', [{ id: 'a' }]] },
    { wanted: { as: [], by: 'id' }, met: [[]], unmet: [{}, [{ id: 'a' }]] },
  ],
  'subset-of': [
    { wanted: ['a', 'b'], met: [[], ['b'], ['b', 'a']], unmet: [undefined, null, 'a', ['c'], ['a', 'c'], {}] },
    { wanted: '${text}', met: [], unmet: [[], undefined] },
  ],
  'superset-of': [
    {
      wanted: ['a', 'b'],
      met: [
        ['b', 'a'],
        ['a', 'b', 'c', 'c'],
      ],
      unmet: [undefined, null, [], ['a'], 'ab', {}],
    },
    { wanted: '${text}', met: [], unmet: [[], undefined] },
  ],
  intersects: [
    { wanted: ['a', 'b'], met: [['b'], ['x', 'a']], unmet: [undefined, [], 'a', ['c'], { a: 1 }] },
    { wanted: [], met: [], unmet: [[], ['a'], undefined] },
  ],
  each: [
    {
      wanted: { type: 'string', pattern: '${text}.*' },
      met: [['a.c'], ['a.c1', 'a.c2']],
      unmet: [undefined, [], 'a.c', ['a.c', 1], ['abc'], [null]],
    },
    { wanted: { each: { empty: false } }, met: [[['a']]], unmet: [[[]], [['']], [[[], ['a']]]] },
    { wanted: {}, met: [], unmet: [[], [1], undefined] },
  ],
  every: [
    {
      wanted: { type: 'string', pattern: '${text}.*' },
      met: [[], ['a.c'], ['a.c1', 'a.c2']],
      unmet: [undefined, 'a.c', {}, ['a.c', 1], ['abc'], [null]],
    },
    { wanted: { every: { empty: false } }, met: [[], [[]], [['a']]], unmet: [[['']], [[], [[]]]] },
    { wanted: {}, met: [[]], unmet: [[1], undefined] },
  ],
  some: [
    {
      wanted: { type: 'string', pattern: '${text}.*' },
      met: [['a.c'], [1, 'a.c2', null]],
      unmet: [undefined, [], 'a.c', ['abc'], [null], { a: 'a.c' }],
    },
    { wanted: { some: { empty: false } }, met: [[[''], ['a']]], unmet: [[[]], [['']]] },
    { wanted: {}, met: [], unmet: [[], [1], undefined] },
  ],
  includes: [
    {
      wanted: { a: { b: 1 } },
      met: [{ a: { b: 1, c: 2 }, d: 3 }],
      unmet: [undefined, {}, { a: 1 }, { a: { c: 2 } }, [], null],
    },
    { wanted: { toString: null }, met: [{ toString: null }], unmet: [{}, undefined] },
    { wanted: JSON.parse('{"__proto__":{}}') as Data, met: [hostile], unmet: [{}, { a: 1 }] },
    { wanted: { a: [1] }, met: [{ a: [1], b: 2 }], unmet: [{ a: [1, 2] }, { a: [] }] },
  ],
  at: [
    {
      wanted: { '/a': { pattern: '${text}.*' }, '/b/0': { present: false } },
      met: [{ a: 'a.c1' }, { a: 'a.c', b: [] }],
      unmet: [undefined, null, {}, { a: 'abc' }, { a: 'a.c', b: [1] }, []],
    },
    { wanted: { '/a': {} }, met: [], unmet: [{ a: 1 }] },
    { wanted: {}, met: [], unmet: [{}, undefined] },
  ],
  'shown-events': [
    {
      wanted: 1,
      met: [[{ CreatedEvent: {} }, { Other: {} }]],
      unmet: [[], [{ Other: {} }], 'CreatedEvent', undefined],
    },
  ],
  length: [
    { wanted: 2, met: [[1, 2]], unmet: [undefined, 'ab', [1], [1, 2, 3], { length: 2 }] },
    { wanted: 0, met: [[]], unmet: [undefined, '', {}, [1]] },
  ],
  keys: [
    { wanted: 1, met: [{ a: null }, { a: { b: 1, c: 2 } }], unmet: [undefined, null, {}, { a: 1, b: 2 }, [1], 'a', 1] },
    { wanted: 2, met: [{ a: 1, b: 2 }], unmet: [{ a: 1 }, { a: 1, b: 2, c: 3 }] },
  ],
  'greater-than': [
    {
      wanted: 7,
      met: [8, 7.5, number('7.0000000000000000001'), number('1e400')],
      unmet: [7, 6, -8, '8', undefined, null, number('7.0'), number('-1e400')],
    },
    {
      wanted: '${big}',
      met: [number('9007199254740994')],
      unmet: [number('9007199254740993'), number('9007199254740992')],
    },
    { wanted: -1, met: [0, number('-0.99')], unmet: [-1, number('-1.01')] },
    {
      wanted: later,
      met: ['2026-02-28T12:00:00.100000001Z', '2026-03-01T00:00:00Z'],
      unmet: [
        '2026-02-28T12:00:00.10Z',
        '2026-02-28T12:00:00Z',
        'zzz',
        '9999',
        '2026-02-30T00:00:00Z',
        9e15,
        undefined,
      ],
    },
    { wanted: '${text}', met: [], unmet: ['zzz', later, 1, undefined] },
  ],
  'at-least': [
    { wanted: 7, met: [7, number('7.0'), 8], unmet: [6.9, '7', undefined, null] },
    {
      wanted: later,
      met: ['2026-02-28T12:00:00.100Z', '2026-02-28T12:00:01Z'],
      unmet: ['2026-02-28T12:00:00.099Z', 'zzz', undefined],
    },
  ],
  mentions: [
    {
      wanted: ['run-01', 'x"y'],
      met: [['command run-01', { 'x"y': 1 }], 'run-01 x"y'],
      unmet: [undefined, [], ['run-01'], { a: 'x"y', b: 'run-0' }],
    },
    { wanted: ['${big}'], met: [[number('9007199254740993')]], unmet: [[1], undefined] },
    { wanted: [], met: [], unmet: [[], {}, undefined] },
    { wanted: '${text}', met: [], unmet: [[], 'abc', undefined] },
  ],
  'mentions-none': [
    {
      wanted: ['run-01', 'x"y'],
      met: [[], {}, { a: 'run-0', b: ['x'] }],
      unmet: [undefined, { a: ['command run-01'] }, { 'run-01': 1 }, [{ b: 'x"y!' }], 'run-01'],
    },
    { wanted: ['${big}'], met: [[1]], unmet: [[number('9007199254740993')], 'the 9007199254740993rd', undefined] },
    { wanted: [], met: [], unmet: [[], {}, undefined] },
    { wanted: '${text}', met: [], unmet: [[], 'abc', undefined] },
  ],
}
