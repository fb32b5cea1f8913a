// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import assert from 'node:assert/strict'
import t from 'tap'
import { same } from '../../../lib/json/canonical.js'
import { JsonNumber, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import type { Data } from '../../../record/types/resolved-row.js'
import { answerOf } from '../../../runner/judge/answer.js'
import { evaluateCheck } from '../../../runner/judge/evaluate-check.js'
import { evaluate } from '../../../runner/judge/evaluate-matcher.js'
import type { ResponsePattern } from '../../../runner/suite/suite.js'
import { PointerError, removeAt, setAt, valueAt } from '../../../runner/template/pointer.js'
import { resolvedRow } from '../../support/records/judged-row.js'
import fc from '../../support/records/properties.js'
import { answered, filed, type NamedEvidence } from '../../support/records/small-evidence.js'
import { vectors } from '../../support/replay/recorded-vectors.js'
import { factOf, situation, stepOf } from '../../support/suites/small-suite.js'
import { matcherTable } from './matcher-table.js'

const variables = new Map<string, JsonValue>([
  ['text', 'a.c'],
  ['big', new JsonNumber('9007199254740993')],
  ['run', 'r1'],
])

t.test('every matcher is met by the values of its table, and not by the others', async (t) => {
  for (const [name, lines] of Object.entries(matcherTable)) {
    t.ok(lines.some(({ met }) => met.length > 0) && lines.every(({ unmet }) => unmet.length > 0), name)
    for (const { wanted, met, unmet } of lines) {
      const isMet = (actual: JsonValue | undefined): boolean[] => [
        ...new Set(evaluate({ [name]: wanted }, actual, variables).map((match) => match.met)),
      ]
      const describe = (actual: JsonValue | undefined): string =>
        `${name} ${JSON.stringify(wanted)}: ${actual === undefined ? 'absent' : printJson(actual)}`
      for (const actual of met) t.strictSame(isMet(actual), [true], describe(actual))
      for (const actual of unmet) t.strictSame(isMet(actual), [false], `not ${describe(actual)}`)
    }
  }
})

t.test('each entry of a matcher is a separate expectation, and one with an unset variable is unmet', async (t) => {
  t.strictSame(evaluate({ type: 'string', empty: true, equals: '${nowhere}' }, '', variables), [
    { pointer: '', check: 'type', wanted: ['"string"'], found: ['""'], met: true },
    { pointer: '', check: 'empty', wanted: ['true'], found: ['""'], met: true },
    {
      pointer: '',
      check: 'variable',
      wanted: ['equals', 'the variable ${nowhere} is not set'],
      found: ['""'],
      met: false,
    },
  ])
  const misspelt: Record<string, Data> = { equal: 1 }
  t.throws(() => evaluate(misspelt, 1, variables), new Error('unknown matcher equal'))
})

t.test('values that are nested deeper than the stack can be compared', async (t) => {
  const deep = (inside: string): JsonValue => parseJson(`${'[{"a":'.repeat(50_000)}${inside}${'}]'.repeat(50_000)}`)
  t.ok(same(deep('1'), deep('1.0')))
  t.notOk(same(deep('1'), deep('2')))
  t.match(evaluate({ equals: 1, 'same-set': [1] }, deep('1'), variables), [{ met: false }, { met: false }])
})

t.test('equality ignores the order of members and the spelling of numbers, and nothing else', async (t) => {
  const respelt = (value: JsonValue): JsonValue => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return new JsonNumber(`${value}.0`)
    if (Array.isArray(value)) return value.map(respelt)
    if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, item]) => [name, respelt(item)]),
    )
  }
  const json = fc.json({ maxDepth: 4 }).map((text) => parseJson(text))
  fc.assert(fc.property(json, (value) => same(value, respelt(value)) && same(respelt(value), value)))
  let alike = 0
  fc.assert(
    fc.property(json, json, (a, b) => {
      const equal = same(a, b)
      if (equal) alike += 1
      assert.equal(equal, deepEqual(JSON.parse(printJson(a)), JSON.parse(printJson(b))))
    }),
    { numRuns: 2000 },
  )
  t.ok(alike > 0, `${alike} of the pairs were equal`)
})

function deepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b)
    return true
  } catch {
    return false
  }
}

t.test('matchers of sets follow the definitions of set theory', async (t) => {
  const list = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 })
  const isMet = (name: 'same-set' | 'subset-of' | 'intersects', wanted: number[], actual: number[]): boolean =>
    evaluate({ [name]: wanted }, actual, variables).every(({ met }) => met)
  fc.assert(
    fc.property(list, list, (wanted, actual) => {
      const isWithin = actual.every((item) => wanted.includes(item))
      const isOnce = new Set(actual).size === actual.length
      assert.equal(isMet('subset-of', wanted, actual), isWithin)
      assert.equal(
        isMet('intersects', wanted, actual),
        actual.some((item) => wanted.includes(item)),
      )
      assert.equal(
        isMet('same-set', wanted, actual),
        isWithin && isOnce && wanted.every((item) => actual.includes(item)),
      )
    }),
    { numRuns: 1000 },
  )
  t.pass('1,000 times')
})

t.test('setAt and removeAt change exactly the value at the pointer', async (t) => {
  const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a/b', 'm~n', '', '0', '-'), fc.string())
  const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })).map((value) => parseJson(JSON.stringify(value)))
  const escaped = (text: string): string => `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`
  fc.assert(
    fc.property(object, name, fc.jsonValue({ maxDepth: 1 }), (start, member, plain) => {
      const value = parseJson(JSON.stringify(plain))
      const before = printJson(start)
      const set = setAt({ in: [start] }, `/in/0${escaped(member)}`, value)
      assert.ok(same(valueAt(set, `/in/0${escaped(member)}`), value))
      const removed = valueAt(removeAt(set, `/in/0${escaped(member)}`), '/in/0')
      assert.equal(valueAt(removed, escaped(member)), undefined)
      const had = valueAt(start, escaped(member))
      assert.ok(had !== undefined || same(removed, start))
      if (had !== undefined) assert.ok(same(valueAt(setAt(set, `/in/0${escaped(member)}`, had), '/in/0'), start))
      assert.equal(printJson(start), before)
    }),
  )
  const list = parseJson('{"list":[1,[2]]}')
  for (const pointer of ['/list/2', '/list/-']) t.same(setAt(list, pointer, 3), { list: [1, [2], 3] })
  t.same(setAt(list, '/list/0', 3), { list: [3, [2]] })
  t.same(removeAt(list, '/list/1/0'), { list: [1, []] })
  t.equal(setAt(list, '', 7), 7)
  const nowhere = ['/list/3', '/list/01', '/list/1e0', '/list/ 1', '/list//0', '/list/x', '/none/a', '/list/0/a']
  for (const pointer of nowhere) {
    t.throws(() => setAt(list, pointer, 1), PointerError, pointer)
    t.throws(() => removeAt(list, pointer), PointerError, pointer)
    t.equal(valueAt(list, pointer), undefined, pointer)
  }
  for (const pointer of ['', '/none', '/list/2', '/list/-']) t.throws(() => removeAt(list, pointer), PointerError)
  t.throws(() => removeAt(list, '/list/2'), new PointerError('/list/2', 'the member to remove does not exist'))
  for (const inherited of ['/constructor', '/__proto__', '/toString', '/list/length']) {
    t.equal(valueAt(list, inherited), undefined, inherited)
  }
})

const rejection = (more: Record<string, JsonValue> = {}): JsonValue => ({
  code: 'MISSING_FIELD',
  errorCategory: 8,
  grpcCodeValue: 3,
  context: { field: 'act_as', 'a/b~': '' },
  resources: [
    ['ErrorResource(PARTY)', 'x'],
    ['CONTRACT_ID', 'y'],
  ],
  ...more,
})

t.test('every member of an outcome is a separate finding, met only by the right answer', async (t) => {
  const findingsOf = (pattern: ResponsePattern, evidence: NamedEvidence) => {
    const fact = factOf('rejected', [{ name: 'only', outcome: 'refused', ...pattern }])
    const profile = { situations: new Map([['rejected', fact]]) }
    const row = resolvedRow([stepOf(situation('rejected'))], { profile })
    const [filedEvidence] = filed(row, [evidence])
    const answer = filedEvidence && answerOf(filedEvidence)
    if (!answer) throw new Error('the evidence has no answer')
    const checks = row.steps[0]?.expectations.find(({ kind }) => kind === 'outcome')?.anyOf[0]?.checks ?? []
    const own = pattern.status ? checks : checks.slice(1)
    return own.flatMap((check) => evaluateCheck(check, answer, new Map()))
  }
  const isMet = (...given: Parameters<typeof findingsOf>): boolean[] => findingsOf(...given).map(({ met }) => met)
  const whole: ResponsePattern = {
    status: ['400'],
    mediaType: 'application/json',
    code: 'MISSING_FIELD',
    category: 8,
    grpc: 3,
    context: { field: 'act_as', 'a/b~': null },
    resources: ['PARTY', 'CONTRACT_ID'],
  }
  t.strictSame(isMet(whole, answered(rejection(), { status: 400 })), Array(8).fill(true))
  const html = answered(null, { status: 502, text: '<html>', headers: [['content-type', 'text/html']] })
  t.strictSame(isMet(whole, html), Array(8).fill(false), 'the page of a proxy meets no check')
  t.match(findingsOf({ mediaType: 'application/json' }, html), [{ found: ['text/html'] }])
  t.strictSame(findingsOf({ mediaType: 'application/json' }, answered(1, { headers: [] }))[0]?.found, [])
  t.strictSame(
    isMet(whole, answered(null, { text: '' })).slice(2),
    Array(6).fill(false),
    'an empty body meets no check',
  )

  const [vector] = vectors
  const { preparedTransaction, preparedTransactionHash } = vector
  const named = Buffer.from(preparedTransactionHash, 'base64').toString('hex')
  const naming = (text: string, sent: JsonValue): boolean[] => {
    const { request, ...rest } = answered(null, { text, status: 400 })
    const body = { text: printJson(sent), bytes: printJson(sent).length }
    return isMet({ namesHash: true }, { ...rest, request: { ...request, body } })
  }
  const right = { preparedTransaction, hashingSchemeVersion: vector.scheme }
  t.strictSame(naming(`sign 1220${named}!`, right), [true])
  t.strictSame(naming(`sign 1220${named.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}!`, right), [false])
  t.strictSame(naming(`sign ${preparedTransactionHash}`, right), [false], 'in another encoding')
  const byThird = { ...right, hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' }
  t.strictSame(naming(named, byThird), [false], 'by another scheme')
  t.strictSame(naming('undefined', { preparedTransaction: 'Zm9v' }), [false], 'the transaction has no hash')
  t.strictSame(isMet({ namesHash: true }, answered(null, { text: named })), [false], 'the request has no transaction')

  const statuses: [wanted: string[], met: number[], unmet: number[]][] = [
    [['400'], [400], [401, 200, 499]],
    [['4xx'], [400, 404, 499], [200, 302, 500, 408, 429]],
    [
      ['200', '5xx'],
      [200, 500, 599],
      [201, 400, 600],
    ],
    [['429'], [429], [428, 400]],
    [[], [], [200]],
  ]
  for (const [wanted, met, unmet] of statuses) {
    for (const status of met) t.strictSame(isMet({ status: wanted }, answered(1, { status })), [true], `${status}`)
    for (const status of unmet) t.strictSame(isMet({ status: wanted }, answered(1, { status })), [false], `${status}`)
  }
  const mediaTypes: [headers: [string, string][], met: boolean][] = [
    [[['CONTENT-TYPE', 'Application/JSON ; charset=utf-8']], true],
    [
      [
        ['content-type', 'application/json'],
        ['content-type', 'application/json; charset=utf-8'],
      ],
      true,
    ],
    [
      [
        ['content-type', 'application/json; a=b'],
        ['content-type', 'text/html'],
      ],
      false,
    ],
    [[['content-type', 'application/jsonp']], false],
    [[['content-type', '']], false],
    [[], false],
  ]
  for (const [headers, met] of mediaTypes) {
    t.strictSame(isMet({ mediaType: 'application/json' }, answered(1, { headers })), [met], JSON.stringify(headers))
  }
  const resources: [found: JsonValue, wanted: string[], met: boolean][] = [
    [[['PARTY', 'x']], ['PARTY'], true],
    [[{ type: 'ErrorResource(PARTY)' }], ['PARTY'], true],
    [
      [
        ['PARTY', 'x'],
        ['KEY', 'y'],
      ],
      ['PARTY'],
      false,
    ],
    [[['PARTY,KEY', 'x']], ['PARTY', 'KEY'], false],
    [[['PARTY', 'x']], ['PARTY', 'KEY'], false],
    [
      [
        ['KEY', 'x'],
        ['PARTY', 'y'],
      ],
      ['PARTY', 'KEY'],
      false,
    ],
    [[7], ['PARTY'], false],
    [[], [], true],
    ['none', [], false],
  ]
  for (const [found, wanted, met] of resources) {
    t.strictSame(isMet({ resources: wanted }, answered({ resources: found })), [met], printJson(found))
  }
  t.strictSame(isMet({ resources: [] }, answered({})), [false], 'absent resources')
  t.strictSame(isMet({ code: 'x', category: 8 }, answered(parseJson('{"code":["x"],"errorCategory":"8"}'))), [
    false,
    false,
  ])
  t.strictSame(
    isMet({ context: { constructor: null } }, answered({ context: {} })),
    [false],
    'inherited members are absent',
  )
})
