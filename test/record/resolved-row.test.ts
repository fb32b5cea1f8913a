/** The schema of resolved rows. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import t from 'tap'
import { recordSchemaFiles } from '../../record/file/read-record.js'
import {
  type BodyTemplate,
  type Check,
  type Matcher,
  matcherNames,
  type ResolvedExpectation,
  type ResolvedRow,
  type Role,
} from '../../record/types/resolved-row.js'
import { checkText } from '../../reports/wording/fact-text.js'
import { sampleExpectation, sampleRow, sampleStep } from '../support/records/sample-row.js'
import { resolvedSuite } from '../support/suites/whole-suite.js'

const ajv = new Ajv({ strictTuples: false })
for (const [, file] of recordSchemaFiles) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')))
const isRow = ajv.compile({ $ref: 'resolved-row.schema.json' })
const isByText = ajv.compile({ $ref: 'resolved-row.schema.json#/definitions/otherExpectations' })

const checks: { [K in Check['on']]: Extract<Check, { on: K }> } = {
  status: { on: 'status', oneOf: ['400', '4xx'] },
  'no-server-error': { on: 'no-server-error', except: ['503'] },
  'media-type': { on: 'media-type', equals: 'application/json' },
  header: { on: 'header', name: 'retry-after', matcher: { present: true } },
  body: { on: 'body', pointer: '', matcher: { equals: { a: [1, null] } } },
  text: { on: 'text', mentions: 'field' },
  hash: { on: 'hash' },
  resources: { on: 'resources', kinds: ['CONTRACT_ID'] },
  json: { on: 'json' },
  shape: { on: 'shape', operation: 'prepare', basis: 'facts' },
  winners: { on: 'winners', count: 1 },
  effects: { on: 'effects', when: 'refused', untold: 0 },
}

const bodies: BodyTemplate[] = [
  {
    json: { $: 'random' },
    edits: [
      { at: '/0', set: null },
      { at: '/1', remove: true },
    ],
  },
  { text: '{' },
  { base64: '/w==' },
]
const roles: Role[] = ['arrange', 'probe-before', 'act', 'probe-after', 'restore']
const kinds: ResolvedExpectation['kind'][] = ['outcome', 'server-error', 'content', 'shape', 'winners', 'effects']

const fullExpectation = (kind: ResolvedExpectation['kind']): ResolvedExpectation => ({
  ...sampleExpectation(['SAW-1'], { kind, strength: 'should', confidence: 'read' }),
  situation: 'unknown-contract',
  basis: 'seen on 3.5.10',
  divergence: 'D-3',
  anyOf: [{ name: 'first', outcome: 'refused', checks: Object.values(checks) }],
})

const fullRow: ResolvedRow = {
  ...sampleRow('CASE/row').resolved,
  needs: ['authorization'],
  fixtures: ['note'],
  values: { marker: { $: 'marker' }, list: [1, 'two', null] },
  steps: roles.map((role, index) => {
    const expectations = kinds.filter((_, place) => place % roles.length === index).map(fullExpectation)
    const step = sampleStep({ name: role, role, expectations })
    const body = bodies[index % bodies.length]
    return {
      ...step,
      sentWhen: 'accepted',
      capture: { id: '/updateId' },
      eventually: 2.5,
      presignable: true,
      presigned: true,
      race: { times: 2, others: [fullExpectation('outcome')] },
      token: { name: 't', meaning: 'm', none: true, header: 'h', claims: { sub: 1 }, secret: 's', algorithm: 'none' },
      request: { ...step.request, query: { limit: '2' }, ...(body && { body }) },
    }
  }),
}

const free = new Set(['values', 'claims', 'json', 'headers', 'query', 'capture', ...matcherNames])

/** Every object with defined members, with its path. */
function objectsIn(value: unknown, path = ''): [path: string, object: Record<string, unknown>][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  const object: Record<string, unknown> = Object.fromEntries(Object.entries(value))
  const below = Object.entries(object).filter(([name]) => !free.has(name))
  return [[path, object], ...below.flatMap(([name, member]) => objectsIn(member, `${path}/${name}`))]
}

function replaced(value: unknown, path: string, object: unknown): unknown {
  const names = path.split('/').slice(1)
  const copy: unknown = structuredClone({ whole: value })
  let holder = Object(copy)
  for (const name of ['whole', ...names].slice(0, -1)) holder = holder[name]
  holder[names.at(-1) ?? 'whole'] = object
  return Object(copy).whole
}

t.test('a row with every member matches the schema', async (t) => {
  t.ok(isRow(fullRow), JSON.stringify(isRow.errors))
  t.ok(isRow(sampleRow('CASE/row').resolved), 'a minimal row')
  const byText = { 2: { expectations: [fullExpectation('outcome')], others: [] } }
  t.ok(isByText(byText), JSON.stringify(isByText.errors))
  t.notOk(isByText({ first: { expectations: [] } }))
})

t.test('the schema rejects unknown members everywhere', async (t) => {
  const found = objectsIn(fullRow)
  t.ok(found.length > 150, `${found.length} objects`)
  const taken = found.filter(([path, object]) => isRow(replaced(fullRow, path, { ...object, unknown: 1 })))
  t.same(
    taken.map(([path]) => path),
    [],
  )
})

const optional = new Set([
  ...[
    'sentWhen',
    'token',
    'race',
    'eventually',
    'presignable',
    'presigned',
    'edits',
    'query',
    'body',
    'none',
    'header',
    'claims',
  ],
  ...['secret', 'algorithm', 'situation', 'basis', 'divergence', 'name', 'outcome', ...matcherNames],
])

t.test('the schema requires mandatory members', async (t) => {
  const missing = objectsIn(fullRow).flatMap(([path, object]) =>
    Object.keys(object)
      .filter((name) => !optional.has(name))
      .map((name): [string, unknown] => [`${path}/${name}`, replaced(fullRow, path, { ...object, [name]: undefined })]),
  )
  t.ok(missing.length > 250, `${missing.length} members`)
  const taken = missing.filter(([, row]) => isRow(JSON.parse(JSON.stringify(row))))
  t.same(
    taken.map(([path]) => path),
    [],
  )
})

t.test('the schema lists exactly the matchers', async (t) => {
  const withMatcher = (matcher: Matcher) => replaced(checks.body, '/matcher', matcher)
  const isCheck = ajv.compile({ $ref: 'resolved-row.schema.json#/definitions/check' })
  for (const name of matcherNames) t.ok(isCheck(withMatcher({ [name]: ['anything'] })), name)
  t.notOk(isCheck({ ...checks.body, matcher: { like: 1 } }))
  t.notOk(isCheck({ on: 'status', oneOf: ['4x0'] }))
})

t.test('every kind of check has a description', async (t) => {
  const words: Record<Check['on'], string> = {
    status: 'status 400 or 4xx',
    'no-server-error': 'no server error (5xx) except 503',
    'media-type': 'media type application/json',
    header: 'header retry-after: present',
    body: 'body (whole): {"a":[1,null]}',
    text: 'body: mention of field',
    hash: 'body: mention of the hash to sign',
    resources: 'resources CONTRACT_ID',
    json: 'a 2xx body: valid JSON',
    shape: 'a 2xx body: a response that matches the schema of prepare (including fields observed on the reference)',
    winners: '1 of the concurrent requests accepted',
    effects: 'if rejected, on the ledger: no transaction that no answer reports',
  }
  for (const check of Object.values(checks)) t.equal(checkText(check), words[check.on])
  const matchers: [matcher: Matcher, text: string][] = [
    [{ type: 'string', present: false }, 'a value of type "string" and not present'],
    [{ grammar: 'PartyId' }, 'a valid "PartyId"'],
    [{ 'mentions-none': ['a'], 'same-set': ['b'] }, 'no mention of ["a"] and exactly the set ["b"]'],
    [{ each: { type: 'string' } }, 'a non-empty array with each item matching {"type":"string"}'],
    [{ 'same-items': { as: ['a'], by: 'id' } }, 'an array whose items have the same id as ["a"]'],
    [{ at: { '/a': { length: 2 } } }, 'a value matching {"/a":{"length":2}} at these pointers'],
  ]
  for (const [matcher, text] of matchers) t.equal(checkText({ on: 'body', pointer: '/x', matcher }), `body /x: ${text}`)
})

t.test('plan lines contain the rows of the suite', (t) => {
  const rows = resolvedSuite('canton-3.5').rows.map((row): [ResolvedRow, unknown] => [
    row,
    JSON.parse(JSON.stringify(row)),
  ])
  t.strictSame(
    rows.filter(([row, written]) => !isDeepStrictEqual(row, written)).map(([{ id }]) => id),
    [],
  )
  t.strictSame(
    rows.filter(([, written]) => !isRow(written)).map(([{ id }]) => id),
    [],
  )
  const wires = rows.flatMap(([{ steps }]) => steps.flatMap(({ request }) => request.wire ?? []))
  t.ok(wires.length > 10)
  t.strictSame(
    wires.filter((wire) => Object.keys(wire).length === 0),
    [],
    'they state the form in which they are sent',
  )
  t.end()
})
