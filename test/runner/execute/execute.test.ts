// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that

import t, { type Test } from 'tap'
import { excerpt, JsonNumber, type JsonValue, printJson } from '../../../lib/json/json.js'
import { Redaction } from '../../../lib/redaction/redaction.js'
import type { MissingCapture } from '../../../record/types/reason.js'
import type { Data, ResolvedStep } from '../../../record/types/resolved-row.js'
import { performStep, type Session } from '../../../runner/execute/perform-step.js'
import { createTokens, type Tokens } from '../../../runner/execute/tokens.js'
import { KeyRing } from '../../../runner/sign/signing-key.js'
import type { Step, Suite, TokenVariant } from '../../../runner/suite/suite.js'
import { fill, textOf, VariableError } from '../../../runner/template/variables.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { resolvedRow } from '../../support/records/judged-row.js'
import { answering, ok, type RawTarget, rawTarget } from '../../support/servers/raw-target.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { location, requestOf, stepOf, suiteOf } from '../../support/suites/small-suite.js'

const variables = new Map<string, JsonValue>([
  ['run', 'r1'],
  ['text', 'a.c'],
  ['list', ['x', { y: null }]],
  ['big', new JsonNumber('9007199254740993')],
  ['wrapped', { a: 1 }],
  ['hostile', '${text} $& \r\n'],
  ['hex', '00ab00ab00ab00ff'],
  ['time', '2026-02-28T23:59:59.123456Z'],
])

t.test('a variable is filled in everywhere, and keeps its type if it is the whole value', async (t) => {
  const filled: [data: Data, json: string][] = [
    ['${text}', '"a.c"'],
    ['<${text}-${list}>', '"<a.c-[\\"x\\",{\\"y\\":null}]>"'],
    ['${big}', '9007199254740993'],
    [{ a: ['${list}', 7, null, true] }, '{"a":[["x",{"y":null}],7,null,true]}'],
    [{ '${text}': 1, 'b ${run}': 2 }, '{"a.c":1,"b r1":2}'],
    ['${hostile}', '"${text} $& \\r\\n"'],
    ['a ${hostile}', '"a ${text} $& \\r\\n"'],
    ['$text {text} ${} ${a b}', '"$text {text} ${} ${a b}"'],
    [JSON.parse('{"__proto__":{"a":"${text}"},"constructor":1}') as Data, '{"__proto__":{"a":"a.c"},"constructor":1}'],
    [{ $repeat: 'ab', times: 3 }, '"ababab"'],
    [{ $repeat: 'ab', times: 0 }, '""'],
    [{ $times: { a: '${text}' }, times: 2 }, '[{"a":"a.c"},{"a":"a.c"}]'],
    [{ $nested: 1, depth: 3 }, '[[[1]]]'],
    [{ $nested: [], depth: 0 }, '[]'],
    [{ $nested: 1, depth: 2, under: 'v', beside: { t: 'S' } }, '{"t":"S","v":{"t":"S","v":1}}'],
    [{ $nested: null, depth: 1, under: '__proto__' }, '{"__proto__":null}'],
    [{ $numbered: 'k#', times: 2 }, '["k0","k1"]'],
    [{ $numbered: ['#', 1], times: 2 }, '[["0",1],["1",1]]'],
    [{ $numbered: ['k#', '#'], times: 2, as: 'object' }, '{"k0":"0","k1":"1"}'],
    [{ $turn: ['a', 'b'], of: 3 }, '"a"'],
    [{ $base64: 'AAAAAA==', as: 'half-padded' }, '"AAAAAA="'],
    [{ $number: '3.0' }, '3.0'],
    [{ $number: '-1e400' }, '-1e400'],
    [{ a: [{ $pad: '${run}', with: 'xy', to: 7 }] }, '{"a":["r1xyxyx"]}'],
    [{ '$flip-digit': '${hex}' }, '"00ab00ab00ab10ff"'],
    [{ '$flip-digit': '0123456789abcdef' }, '"0123456789ab0def"'],
    [{ $number: '-9223372036854775808' }, '-9223372036854775808'],
    [{ $after: '${time}', seconds: 1 }, '"2026-03-01T00:00:00.123456Z"'],
    [{ $sum: [4, 1, -2] }, '3'],
    [{ $without: [{ a: 1, b: 2 }, { a: 2 }, 'a', null], where: { a: 1 } }, '[{"a":2},"a",null]'],
    [{ $without: [{ a: 1, b: 2 }, { a: 1 }], where: { a: 1, b: 2 } }, '[{"a":1}]'],
    [{ $without: '${list}', where: { y: null } }, '["x"]'],
    [{ $member: { a: [1] }, named: 'a' }, '[1]'],
    [{ $member: { a: 1 }, named: 'toString' }, 'null'],
  ]
  for (const [data, json] of filled) t.equal(printJson(fill(data, variables)), json)
  t.equal(Object.getPrototypeOf(fill({ a: 1 }, variables)), Object.prototype)
  t.equal(textOf('${list} ${text}', variables), '["x",{"y":null}] a.c')
})

t.test('unset variables and invalid generators are errors', async (t) => {
  const nowhere = new VariableError('the variable ${nowhere} is not set')
  for (const data of ['${nowhere}', ['a ${nowhere}'], { '${nowhere}': 1 }, { $repeat: '${nowhere}', times: 1 }]) {
    t.throws(() => fill(data, variables), nowhere)
  }
  t.throws(() => fill('${toString}', variables), VariableError)
  const impossible: Data[] = [
    { $times: 'a', times: 2 ** 30 },
    { $nested: 'a', depth: 2 ** 30 },
    { $nested: 'a', depth: 1, under: 'v', beside: 'b' },
    { $numbered: 'a', times: 2 ** 30 },
    { $turn: ['a'], of: 0 },
    { $turn: [], of: 1 },
    { $number: '03' },
    { $number: 'x' },
    { $repeat: 'a', times: -1 },
    { $repeat: 'a', times: 1.5 },
    { $repeat: 'a', times: '3' },
    { $repeat: 'ab', times: 2 ** 40 },
    { $repeat: '${list}', times: 1 },
    { $pad: 'a', with: '', to: 7 },
    { $pad: 'abc', with: 'x', to: 2 },
    { $pad: 'a', with: 'x', to: 2 ** 40 },
    { $number: '007' },
    { '$flip-digit': 'too short' },
    { $after: 'soon', seconds: 1 },
    { $sum: 4 },
    { $sum: [4, '1'] },
    { $sum: [4, 0.5] },
    { $sum: [9007199254740991, 1] },
    { $after: '${time}', seconds: 1e15 },
    { $after: '${time}', seconds: 0.5 },
    { $after: '9999-12-31T23:59:59Z', seconds: 1 },
    { $without: 'list', where: { a: 1 } },
    { $without: [{ a: 1 }], where: 'a' },
    { $member: [1], named: '0' },
    { $member: { a: 1 }, named: 1 },
    { $constructor: 1 },
    { $unknown: 1, a: 2 },
  ]
  for (const data of impossible) t.throws(() => fill(data, variables), VariableError, JSON.stringify(data))
})

const requests = [
  requestOf('lookup', 'contract-by-id', { body: { contractId: '${text}', parties: ['p'], deep: { a: { b: 1 } } } }),
  requestOf('end', 'ledger-end'),
  requestOf('listed', 'updates', { query: { limit: '1', 'idle ms': '${text}&?' } }),
  requestOf('wrapped', 'updates', { body: { inside: '${wrapped}' } }),
  requestOf('big', 'submit-and-wait', { body: { big: '${big}', number: { $number: '9223372036854775807' } } }),
]
const tokens: TokenVariant[] = [
  { name: 'none', meaning: 'no header', none: true, location },
  { name: 'basic', meaning: 'another scheme', header: 'Basic eDp5', location },
  { name: 'expired', meaning: 'too late', claims: { exp: { 'in-seconds': -60 } }, location },
]
const suite = suiteOf({
  requests: new Map(requests.map((request) => [request.name, request])),
  tokens: new Map(tokens.map((token) => [token.name, token])),
})

const act = { step: 0, role: 'act' } as const

function resolved(step: Step, of: Suite = suite): ResolvedStep {
  const found = resolvedRow([step], { suite: of }).steps[0]
  if (!found) throw new Error('the row has one step')
  return found
}

const sessionOf = (url: string, given: Partial<Session> = {}): Session => {
  const redaction = new Redaction()
  return {
    transport: createTransport(url, 5000),
    tokens: createTokens(readTarget(url, 'none'), () => undefined, redaction),
    keys: new KeyRing(),
    lateDelay: 0,
    ...given,
  }
}

interface Sent {
  line: string
  headers: string[]
  body: Buffer
}

/** The last request on the connection, without the headers of the connection itself. */
function sentOn({ received }: RawTarget): Sent {
  const bytes = received.at(-1) ?? Buffer.alloc(0)
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...headers] = bytes.toString('latin1', 0, end).split('\r\n')
  return {
    line,
    headers: headers.filter((header) => !/^(?:host|connection): /.test(header)),
    body: bytes.subarray(end + 4),
  }
}

t.test('requests have the bytes that the suite describes', async (t) => {
  // Closes each connection: lookups would share one, and the target records bytes by connection.
  const target = await rawTarget(t, (socket) => socket.end(ok.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))
  const session = sessionOf(`${target.url}/base/`)
  const lookUp = 'POST /base/v2/contracts/contract-by-id HTTP/1.1'
  const json = ['accept: application/json', 'content-type: application/json']
  const plain = '{"contractId":"a.c","parties":["p"],"deep":{"a":{"b":1}}}'
  const whole = [...json, `content-length: ${plain.length}`]
  const sent: [step: Parameters<typeof stepOf>[0], line: string, headers: string[], body: string | Buffer][] = [
    [{ request: 'lookup' }, lookUp, whole, plain],
    [
      {
        request: 'lookup',
        edit: {
          '/parties/1': '${list}',
          '/parties/-': { $repeat: 'q', times: 2 },
          '/deep/a/c': '${big}',
          '/contractId': null,
        },
        remove: ['/parties/0', '/deep/a/b'],
      },
      lookUp,
      [...json, 'content-length: 83'],
      '{"contractId":null,"parties":[["x",{"y":null}],"qq"],"deep":{"a":{"c":9007199254740993}}}',
    ],
    [
      { request: 'lookup', edit: { '': {}, '/__proto__': { contractId: 'x' }, '/constructor': 1 } },
      lookUp,
      [...json, 'content-length: 46'],
      '{"__proto__":{"contractId":"x"},"constructor":1}',
    ],
    [
      { request: 'big' },
      'POST /base/v2/commands/submit-and-wait HTTP/1.1',
      [...json, 'content-length: 59'],
      '{"big":9007199254740993,"number":9223372036854775807}',
    ],
    [{ request: 'lookup', send: { text: '{"a":${text} ü' } }, lookUp, [...json, 'content-length: 12'], '{"a":a.c ü'],
    [
      { request: 'lookup', send: { base64: '77u/AP8=' } },
      lookUp,
      [...json, 'content-length: 5'],
      Buffer.from('efbbbf00ff', 'hex'),
    ],
    [{ request: 'lookup', send: { text: '' } }, lookUp, ['accept: application/json', 'content-length: 0'], ''],
    [
      { request: 'lookup', send: { method: 'GET', text: '' } },
      lookUp.replace('POST', 'GET'),
      ['accept: application/json'],
      '',
    ],
    [{ request: 'lookup', send: { method: 'GET' } }, lookUp.replace('POST', 'GET'), whole, plain],
    [{ request: 'lookup', send: { method: 'BREW' } }, lookUp.replace('POST', 'BREW'), whole, plain],
    [{ request: 'end' }, 'GET /base/v2/state/ledger-end HTTP/1.1', ['accept: application/json'], ''],
    [
      { request: 'listed' },
      'POST /base/v2/updates?limit=1&idle+ms=a.c%26%3F HTTP/1.1',
      ['accept: application/json', 'content-length: 0'],
      '',
    ],
    [
      { request: 'end', send: { path: '//V2/${text}?a=%2F' } },
      'GET /base//V2/a.c?a=%2F HTTP/1.1',
      ['accept: application/json'],
      '',
    ],
    [
      { request: 'end', send: { headers: { Accept: 'text/xml', 'X-Run': 'of ${run}', Authorization: 'Own ${text}' } } },
      'GET /base/v2/state/ledger-end HTTP/1.1',
      ['accept: text/xml', 'x-run: of r1', 'authorization: Own a.c'],
      '',
    ],
    [
      { request: 'lookup', token: 'basic', send: { headers: { accept: null, 'Content-Type': null } } },
      lookUp,
      ['authorization: Basic eDp5', `content-length: ${plain.length}`],
      plain,
    ],
    [
      { request: 'end', token: 'basic', send: { headers: { Authorization: null } } },
      'GET /base/v2/state/ledger-end HTTP/1.1',
      ['accept: application/json'],
      '',
    ],
  ]
  for (const [text, line, headers, body] of sent) {
    const { evidence } = await performStep(resolved(stepOf(text)), act, variables, session)
    const bytes = Buffer.from(body)
    const lengths = headers.map((header) => header.replace(/^content-length: .*/, `content-length: ${bytes.length}`))
    t.strictSame(sentOn(target), { line, headers: lengths, body: bytes }, JSON.stringify(text))
    t.equal(evidence.request.method, line.split(' ')[0])
    t.equal(evidence.response?.status, 200)
  }
  t.equal(target.received.length, sent.length, 'no other request')
})

t.test('the caller is the actor of the step, else of its request, else the operator', async (t) => {
  const target = await rawTarget(t, (socket) => socket.write(ok))
  const users: string[] = []
  const tokens: Tokens = {
    header: async (userId, variant, variables) => {
      users.push(`${userId} ${variant?.name ?? 'own'} ${String(variables.get('user'))}`)
      return 'Bearer x'
    },
  }
  const asBob = requestOf('bob', 'ledger-end', { as: 'bob' })
  const session = sessionOf(target.url, { tokens })
  const of = { ...suite, requests: new Map([...suite.requests, ['bob', asBob]]) }
  const people = new Map([
    ...variables,
    ...['operator', 'bob', 'eve'].map((name) => [`user.${name}`, `user-of-${name}`] as const),
  ])
  const steps = [
    stepOf({ request: 'end' }),
    stepOf({ request: 'bob' }),
    stepOf({ request: 'bob', as: 'eve', token: 'none' }),
  ]
  for (const step of steps) await performStep(resolved(step, of), act, people, session)
  t.strictSame(users, [
    'user-of-operator own user-of-operator',
    'user-of-bob own user-of-bob',
    'user-of-eve none user-of-eve',
  ])
  t.strictSame(sentOn(target).headers, ['accept: application/json', 'authorization: Bearer x'])
})

t.test('a request that cannot be sent is a problem of the suite, not of the target', async (t) => {
  const target = await rawTarget(t, (socket) => socket.write(ok))
  const session = sessionOf(target.url)
  const unsent: [step: Parameters<typeof stepOf>[0], message: RegExp][] = [
    [{ request: 'lookup', edit: { '/a': '${nowhere}' } }, /the variable \$\{nowhere\} is not set/],
    [{ request: 'wrapped', remove: ['/inside/none'] }, /the member to remove does not exist/],
    [{ request: 'lookup', send: { headers: { 'x-text': '${hostile}' } } }, /invalid x-text header/],
    [{ request: 'lookup', send: { headers: { 'content-length': '3' } } }, /does not match content-length/],
    [{ request: 'lookup', send: { headers: { expect: '100-continue' } } }, /expect header not supported/],
    [{ request: 'end', send: { path: '/a b' } }, /invalid request path/],
    [{ request: 'end', token: 'expired' }, /the token expired cannot be made: the target has no authorization/],
  ]
  for (const [text, message] of unsent) {
    const { evidence, variables: after } = await performStep(resolved(stepOf(text)), act, variables, session)
    t.match(evidence.problem, { code: 'not-sent', message }, JSON.stringify(text))
    t.equal(evidence.response, undefined)
    t.equal(after, variables)
  }
  t.equal(target.received.filter(({ length }) => length > 0).length, 0, 'no byte was sent')
  t.match(await performStep(resolved(stepOf({ request: 'end' })), act, variables, session), {
    evidence: { response: { status: 200 } },
  })
  t.throws(() => resolved(stepOf({ request: 'misspelt' })), /unknown request misspelt/)
  t.throws(() => resolved(stepOf({ request: 'end', token: 'x' })), /unknown token x/)
  const impossible: [step: Parameters<typeof stepOf>[0], message: RegExp][] = [
    [{ request: 'lookup', edit: { '/none/a': 1 } }, /^cases.yaml:7: .*"lookup" cannot be built: cannot edit \/none\/a/],
    [{ request: 'lookup', remove: ['/none'] }, /the member to remove does not exist/],
  ]
  for (const [text, message] of impossible) t.throws(() => resolved(stepOf(text)), { name: 'ResolveError', message })
})

t.test('captures keep values unchanged and report missing ones', async (t) => {
  const captured = async (
    t: Test,
    body: string,
    head?: string,
  ): Promise<[Record<string, string>, MissingCapture[]]> => {
    const target = await rawTarget(t, answering(body, head))
    const step: Step = stepOf({ request: 'end', capture: { id: '/a/0', whole: '', gone: '/constructor' } })
    const done = await performStep(
      resolved(step),
      { step: 0, role: 'probe-after' },
      new Map([['id', 'old']]),
      sessionOf(target.url),
    )
    return [Object.fromEntries([...done.variables].map(([name, value]) => [name, printJson(value)])), done.missing]
  }
  t.strictSame(await captured(t, '{"a":[9007199254740993]}'), [
    { id: '9007199254740993', whole: '{"a":[9007199254740993]}' },
    [{ variable: 'gone', pointer: '/constructor' }],
  ])
  for (const body of ['<html>', '', '{"a":[1]', '\ufeff{"a":[1]}']) {
    const notJson = { form: 'JSON body', found: excerpt(body, 60) }
    t.strictSame(
      await captured(t, body),
      [
        { id: '"old"' },
        [
          { variable: 'id', pointer: '/a/0', ...notJson },
          { variable: 'whole', pointer: '', ...notJson },
          { variable: 'gone', pointer: '/constructor', ...notJson },
        ],
      ],
      body,
    )
  }
  const prepare = suiteOf({ requests: new Map([['prepare', requestOf('prepare', 'prepare', { body: {} })]]) })
  const formOf = async (bytes: Buffer): Promise<string | undefined> => {
    const target = await rawTarget(t, answering(JSON.stringify({ preparedTransaction: bytes.toString('base64') })))
    const step = stepOf({ request: 'prepare', capture: { bytes: '/preparedTransaction' } })
    const { missing } = await performStep(resolved(step, prepare), act, new Map(), sessionOf(target.url))
    return missing[0]?.form
  }
  t.equal(await formOf(Buffer.from('0801', 'hex')), undefined)
  t.equal(await formOf(Buffer.from('ffff', 'hex')), 'prepared transaction')
  const long = await captured(t, `{"a":["${'x'.repeat(2_000_000)}"]}`)
  t.match(long[1][0], { variable: 'id', form: 'string of at most 1048576 characters' })
})
