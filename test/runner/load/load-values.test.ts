// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { Case, Location, Step, Suite } from '../../../runner/suite/suite.js'
import { folderWith } from '../../support/suites/suite-folder.js'

/** Converts maps to plain data and omits locations. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value].map(([name, item]) => [name, plain(item)]) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'location' && name !== 'ownRules')
  return Object.fromEntries(members.map(([name, item]) => [name, plain(item)]))
}

const map = (members: Record<string, unknown>): unknown => ({ map: Object.entries(members) })

function find(suite: Suite, id: string): Case {
  const found = suite.cases.find((one) => one.id === id)
  if (!found) throw new Error(`missing case ${id}`)
  return found
}

const accepted = { what: 'accepted' }

const step = (request: string, more: Record<string, unknown> = {}): unknown => ({
  name: request,
  request,
  outcome: accepted,
  expect: { schema: true },
  ...more,
})

t.test('a suite folder is loaded completely', async (t) => {
  const suite = await loadSuite(await folderWith(t))
  t.equal(suite.version, '1.2.3')
  t.strictSame(plain([...suite.rules.values()]), [
    {
      id: 'GEN-POST',
      statement: 'Everything is a POST.',
      strength: 'must',
      section: 'Endpoints',
      passages: [{ section: 'Endpoints', name: 'paragraph 1' }],
      operations: [],
    },
    {
      id: 'GEN-NO-EFFECT',
      statement: 'A refusal has no effect.',
      strength: 'should',
      section: 'Errors',
      passages: [
        { section: 'Errors', name: 'item 1' },
        { section: 'Endpoints', name: 'paragraph 1' },
      ],
      operations: [],
    },
    {
      id: 'GEN-CLIENT',
      statement: 'Clients are kind.',
      strength: 'client',
      section: 'Errors',
      passages: [{ section: 'Errors', name: 'item 2' }],
      operations: [],
    },
    {
      id: 'GEN-INSIDE',
      statement: 'The state is internal.',
      strength: 'must',
      section: 'Errors',
      passages: [{ section: 'Errors', name: 'item 2' }],
      operations: ['execute'],
      untestable: 'It is internal.',
    },
  ])
  t.strictSame(plain([...suite.unspecified.values()]), [
    {
      id: 'OPEN-BODY',
      question: 'What is in it?',
      passages: [{ section: 'Errors', name: 'item 2' }],
      filledBy: 'interface',
      answer: 'Nothing.',
    },
  ])
  t.strictSame(suite.text, { title: 'The text', version: '7', digest: 'ab'.repeat(32) })
  t.strictSame(plain(suite.outline), [
    { name: 'Endpoints', passages: [{ name: 'paragraph 1' }], withoutRule: map({}) },
    {
      name: 'Errors',
      passages: [{ name: 'item 1' }, { name: 'item 2' }, { name: 'item 3' }],
      withoutRule: map({ 'item 3': { reason: 'states nothing' } }),
    },
  ])
  t.strictSame(
    plain(suite.situations),
    map({
      'empty-act-as': { name: 'empty-act-as', meaning: 'actAs is empty.' },
      'unknown-contract': { name: 'unknown-contract', meaning: 'The contract is unknown.' },
    }),
  )
  const body = Object.fromEntries([
    ['contractId', '${ping.id}'],
    [
      '${alice}',
      Object.fromEntries<unknown>([
        ['__proto__', 1],
        ['null', null],
        ['404', true],
      ]),
    ],
  ])
  t.strictSame(
    plain(suite.requests),
    map({
      'look-up': { name: 'look-up', operation: 'contract-by-id', as: 'operator', body },
      party: { name: 'party', operation: 'connected-synchronizers', query: { party: '${alice}' } },
      create: { name: 'create', operation: 'submit-and-wait', body: { commandId: 'command ${row}' } },
      execute: { name: 'execute', operation: 'execute', body: { prepared: '${prepared}' } },
    }),
  )
  t.strictSame(
    plain(suite.actors),
    map({
      operator: { name: 'operator', rights: ['ParticipantAdmin', 'CanActAs alice'] },
      guest: { name: 'guest', rights: [] },
    }),
  )
  t.strictSame(
    plain(suite.tokens),
    map({
      none: { name: 'none', meaning: 'no header', none: true },
      expired: {
        name: 'expired',
        meaning: 'too late',
        header: 'Bearer x',
        claims: { exp: { 'in-seconds': -60 } },
        secret: 'another',
        algorithm: 'HS384',
      },
    }),
  )
  t.strictSame(
    plain(suite.fixtures),
    map({
      alice: { name: 'alice', party: { hint: 'alice' }, values: {}, steps: [] },
      ping: {
        name: 'ping',
        values: {},
        steps: [
          step('create', { capture: { update: '/updateId', 'ping.id': '/id' } }),
          step('look-up', { edit: { '/updateId': '${update}' } }),
        ],
      },
    }),
  )
  const { outcome: _, ...nothing } = Object(step('look-up'))
  const noMention = { schema: true, body: map({ '': { what: { 'mentions-none': ['${row}'] } } }) }
  t.strictSame(
    plain(suite.probes),
    map({
      'no-transaction': {
        name: 'no-transaction',
        rules: ['GEN-NO-EFFECT'],
        before: [{ ...nothing, capture: { begin: '/offset' } }],
        after: [{ ...nothing, name: 'look-up 2', edit: { '/begin': '${begin}' }, expect: noMention }],
        afterAcceptance: [],
      },
    }),
  )
})

t.test('a profile inherits omitted facts from the profile that it extends', async (t) => {
  const { profiles } = await loadSuite(await folderWith(t))
  const expect = map({ '/a': { present: false }, '/b': { equals: '${alice}' } })
  const late = {
    id: 'LATE',
    rule: 'GEN-POST',
    statement: 'It is late.',
    confidence: 'observed',
    source: 'an observer',
    expect,
  }
  t.strictSame(
    plain(profiles),
    map({
      interface: {
        name: 'interface',
        title: 'The text',
        basis: 'text',
        accepted: { status: ['2xx'], confidence: 'text' },
        refused: { status: ['4xx'], confidence: 'text' },
        situations: map({
          'empty-act-as': {
            situation: 'empty-act-as',
            alternatives: [{ name: 'refused', outcome: 'refused', status: ['4xx'], code: 'OLD' }],
            confidence: 'text',
            source: 'the text',
          },
        }),
        versions: map({}),
        formats: map({}),
        codes: map({}),
        divergences: [late],
      },
      seen: {
        name: 'seen',
        title: 'As observed',
        basis: 'facts',
        accepted: { status: ['200', '204'], mediaType: 'application/json', confidence: 'observed' },
        refused: { status: ['4xx'], confidence: 'text' },
        situations: map({
          'empty-act-as': {
            situation: 'empty-act-as',
            alternatives: [
              {
                name: 'one',
                outcome: 'refused',
                status: ['400'],
                mediaType: 'application/json',
                code: 'MISSING_FIELD',
                category: 8,
                grpc: 3,
                context: { field: 'act_as', other: null },
                resources: ['PARTY'],
              },
              { name: 'two', outcome: 'refused', status: ['403'] },
            ],
            confidence: 'observed',
            source: 'a participant',
          },
          'unknown-contract': {
            situation: 'unknown-contract',
            alternatives: [{ name: 'accepted', outcome: 'accepted' }],
            divergence: 'LATE',
            confidence: 'observed',
            source: 'a participant',
          },
        }),
        versions: map({}),
        formats: map({}),
        codes: map({
          MISSING_FIELD: { status: ['400'], category: 8, grpc: 3 },
        }),
        divergences: [late],
      },
    }),
  )
})

t.test('rows are complete: the case with the differences of the row in its last step', async (t) => {
  const suite = await loadSuite(await folderWith(t))
  t.strictSame(plain(find(suite, 'CBI-ONE')), {
    id: 'CBI-ONE',
    title: 'A single request',
    operation: 'contract-by-id',
    afterwards: 'no-transaction',
    serial: false,
    restore: [],
    rows: [
      {
        id: 'only',
        title: 'A single request',
        rules: ['GEN-POST'],
        impact: 'read',
        needs: [],
        values: {},
        steps: [step('look-up')],
      },
    ],
  })
  const send = { method: 'GET', path: '/v2', headers: { Accept: 'text/plain', 'X-Other': null } }
  const headers = map({ 'content-type': { what: { pattern: 'text/.+' } } })
  const each = { what: { each: { empty: false } }, rules: ['GEN-POST'] }
  t.strictSame(plain(find(suite, 'CBI-ROWS')), {
    id: 'CBI-ROWS',
    title: 'A table',
    operation: 'contract-by-id',
    serial: true,
    restore: [],
    rows: [
      {
        id: 'as-it-is',
        title: 'A table',
        rules: ['GEN-POST'],
        impact: 'write',
        needs: ['authorization'],
        values: {},
        steps: [
          step('look-up', {
            as: 'operator',
            token: 'none',
            edit: { '/a': 1, '/b': { '/c': 2 }, '/d': 3 },
            remove: ['/x', '/y'],
            send: { ...send, text: 'hello' },
            outcome: { what: 'unknown-contract' },
            expect: {
              headers,
              body: map({
                '/code': { what: { present: true } },
                '/message': { what: { present: false } },
                '/list': each,
              }),
              schema: true,
            },
          }),
        ],
      },
      {
        id: 'different',
        title: 'A different row',
        rules: ['GEN-NO-EFFECT'],
        impact: 'hazard',
        needs: ['authorization', 'contract-keys'],
        values: {},
        steps: [
          step('look-up', {
            as: 'guest',
            token: 'expired',
            // The edits of the row come last; each pointer occurs once.
            edit: { '/b': { '/c': 2 }, '/a': 'one', '/x': 'back' },
            remove: ['/y', '/d'],
            send: { ...send, headers: { ...send.headers, accept: null }, base64: 'aGk=' },
            outcome: accepted,
            expect: {
              headers,
              body: map({
                '/code': { what: { null: true } },
                '/message': { what: { null: true } },
                '/list': each,
                '/more': { what: { type: 'integer', 'greater-than': 0 } },
              }),
              schema: true,
            },
          }),
        ],
      },
    ],
  })
  const prepare = step('party', { name: 'prepare', capture: { prepared: '/transaction' } })
  const refused = { outcome: { what: 'empty-act-as' } }
  const tested = (outcome: string, more: Record<string, unknown> = {}): unknown =>
    step('execute', {
      name: 'execute 2',
      capture: { end: '/offset' },
      outcome: { what: outcome },
      expect: { body: map({ '/other': { what: { equals: '${end}' } } }), schema: true },
      ...more,
    })
  t.strictSame(plain(find(suite, 'EXE-STEPS').rows.map(({ id, steps }) => [id, steps])), [
    ['refused', [prepare, step('execute', refused), tested('empty-act-as')]],
    ['accepted', [prepare, step('execute', refused), tested('accepted', { edit: { '/prepared': '${prepared}' } })]],
  ])
})

t.test('every part of a suite has its location', async (t) => {
  const folder = await folderWith(t)
  const suite = await loadSuite(folder)
  const at = ({ file, line, column }: Location): string => `${file}:${line}:${column}`
  const rows = find(suite, 'CBI-ROWS').rows
  const steps: Step[] = find(suite, 'EXE-STEPS').rows.flatMap((row) => row.steps)
  t.strictSame([...suite.rules.values()].map(({ location }) => at(location)).slice(0, 2), [
    'rules/general.yaml:2:5',
    `rules/general.yaml:3:5`,
  ])
  t.strictSame(
    rows.map(({ location }) => at(location)),
    [`cases/contract-by-id/look-up.yaml:27:9`, `cases/contract-by-id/look-up.yaml:28:9`],
  )
  t.strictSame(
    steps.slice(0, 3).map(({ location }) => at(location)),
    [7, 8, 9].map((line) => `cases/execute/steps.yaml:${line}:9`),
  )
  const firstOf = (parts: Map<string, { location: Location }>): string[] =>
    [...parts.values()].slice(0, 1).map(({ location }) => at(location))
  const { situations, requests, actors, tokens, fixtures, probes } = suite
  t.strictSame([situations, requests, actors, tokens, fixtures, probes].flatMap(firstOf), [
    `situations.yaml:2:3`,
    `requests/reading.yaml:2:3`,
    `actors.yaml:2:3`,
    `actors.yaml:5:3`,
    `fixtures.yaml:2:3`,
    `probes.yaml:2:3`,
  ])
})
