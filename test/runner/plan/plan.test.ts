// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { expectedSeconds, requestCount } from '../../../runner/plan/cost.js'
import { planRun, refinePlan } from '../../../runner/plan/plan.js'
import { NothingSelected } from '../../../runner/plan/select.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { Case, Profile, Suite } from '../../../runner/suite/suite.js'
import {
  accepted,
  caseOf,
  factOf,
  fixtureOf,
  location,
  probeOf,
  profileOf,
  requestOf,
  rowOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `row-${index}`)

const planned = suiteOf({
  requests: new Map([
    ['ask', requestOf('ask', 'ledger-end')],
    ['submit', requestOf('submit', 'submit-and-wait')],
  ]),
  probes: new Map([['probe', probeOf('probe', [stepOf()], [stepOf(), stepOf(accepted)])]]),
  cases: [
    caseOf(
      'SAW-MANY',
      names(20).map((id) => rowOf(id, [stepOf(accepted)])),
      { operation: 'submit-and-wait' },
    ),
    caseOf('CBI-SERIAL', [rowOf('a', [stepOf(accepted)]), rowOf('ab', [stepOf(accepted)])], { serial: true }),
    caseOf('CBI-NEEDS', [
      rowOf('keys', [stepOf(accepted)], { needs: ['authorization', 'contract-keys'], rules: ['SHOULD'] }),
    ]),
    caseOf('CBI-HAZARD', [
      rowOf('deep', [stepOf(accepted)], { impact: 'hazard' }),
      rowOf('deeper', [stepOf(accepted)], { impact: 'hazard' }),
    ]),
    caseOf(
      'SAW-WRITE',
      [
        rowOf('twice', [stepOf({ request: 'submit', ...accepted }), stepOf({ request: 'submit', ...accepted })]),
        rowOf('refused', [
          stepOf({ request: 'submit', ...accepted }),
          stepOf({ request: 'submit', ...situation('bad') }),
        ]),
      ],
      { afterwards: 'probe' },
    ),
  ],
})

const resolved = (suite: Suite, profile: Profile = profileOf()) => resolveSuite(suite, profile)

const idsOf = (rows: readonly { row: { id: string } }[]): string[] => rows.map(({ row }) => row.id)

t.test('a plan has the rows in order, and the reasons of rows that do not run', async (t) => {
  const plan = planRun(resolved(planned), { authorization: true }, { seed: 'seed' })
  const ids = idsOf(plan.rows)
  t.equal(new Set(ids).size, 22)
  t.strictSame(idsOf(plan.alone).sort(), ['CBI-SERIAL/a', 'CBI-SERIAL/ab'])
  const allow = ['write', 'topology', 'upload', 'hazard']
  const hazard = { code: 'lacks-permission', permissions: ['hazard'], allow }
  t.strictSame(
    plan.left.map(({ row, reason }) => [row.id, reason]),
    [
      ['CBI-NEEDS/keys', { code: 'lacks-capability', name: 'contract-keys' }],
      ['CBI-HAZARD/deep', hazard],
      ['CBI-HAZARD/deeper', hazard],
    ],
  )
  t.equal(plan.transactions, 3)
  t.equal(requestCount(plan), 20 + 2 + 2 + 2 + 3)
  const again = planRun(resolved(planned), { authorization: true }, { seed: 'seed' })
  t.strictSame(idsOf(again.rows), ids, 'the seed repeats the order')
  const other = planRun(resolved(planned), { authorization: true }, { seed: 'other' }).rows.map(({ row }) => row.id)
  t.not(other.join(), ids.join())
  t.strictSame(other.toSorted(), ids.toSorted())
  const some = planRun(resolved(planned), {}, { only: 'SAW-MANY/*', seed: 'seed' }).rows.map(({ row }) => row.id)
  t.strictSame(
    some,
    ids.filter((id) => id.startsWith('SAW-MANY/')),
    'independent of other rows',
  )
  t.not(ids.join(), ids.toSorted().join(), 'the order differs from that of the files')
})

t.test('rows that wait come first', (t) => {
  const body = { minLedgerTime: { $after: '${begun}', seconds: 3 } }
  const rows = [
    ...names(20).map((id) => rowOf(id, [stepOf(accepted)])),
    rowOf('later', [{ ...stepOf(accepted), later: 5 }, stepOf(accepted)]),
    rowOf('bounded', [stepOf({ request: 'bounded', ...accepted })]),
  ]
  const requests = new Map([
    ...planned.requests,
    ['bounded', requestOf('bounded', 'submit-and-wait', { body })] as const,
  ])
  const plan = planRun(resolved(suiteOf({ requests, cases: [caseOf('C', rows)] })), {}, { seed: 'seed' })
  t.strictSame(idsOf(plan.rows).slice(0, 2).toSorted(), ['C/bounded', 'C/later'])
  t.end()
})

t.test('the plan counts commits of arranging steps, fixtures, executions and accepted submissions', async (t) => {
  const suite = suiteOf({
    requests: new Map([
      ['ask', requestOf('ask', 'ledger-end')],
      ['submit', requestOf('submit', 'submit-and-wait', { body: {} })],
      ['execute', requestOf('execute', 'execute')],
    ]),
    fixtures: new Map([['made', fixtureOf('made', [stepOf({ request: 'submit', ...accepted }), stepOf(accepted)])]]),
    cases: [
      caseOf('SAW-ONE', [
        rowOf('use', [stepOf({ request: 'submit', edit: { '/a': '${made.id}' }, ...accepted })]),
        rowOf('execute', [stepOf({ request: 'execute', ...accepted }), stepOf(accepted)]),
        rowOf('clamped', [stepOf({ request: 'submit', ...situation('clamped') })]),
        rowOf('open', [stepOf({ request: 'submit', ...situation('open') })]),
        rowOf('refused', [stepOf({ request: 'submit', ...situation('bad') })]),
        rowOf('race', [{ ...stepOf({ request: 'submit', ...accepted }), race: { times: 10, others: 'bad' } }]),
      ]),
    ],
  })
  const profile = profileOf({
    situations: new Map([
      ['clamped', factOf('clamped', 'accepted', { divergence: 'CLAMPED' })],
      [
        'open',
        factOf('open', [
          { name: 'taken', outcome: 'accepted' },
          { name: 'refused', outcome: 'refused', status: ['4xx'] },
        ]),
      ],
      ['bad', factOf('bad', [{ name: 'bad', outcome: 'refused', status: ['400'] }])],
    ]),
  })
  const plan = planRun(resolved(suite, profile), {}, { seed: '' })
  t.equal(plan.transactions, 6)
  t.equal(planRun(resolved(suite), {}, { seed: '' }).transactions, 4, 'under the text alone, both are rejected')
  t.equal(requestCount(plan), 6 + 10, 'each request of a race counts')
})

t.test('the expected duration follows from response times, commits and concurrency', async (t) => {
  const planOf = (reads: number, commits: number, serial = false) => {
    const rowsOf = (request: string, count: number) =>
      names(count).map((id) => rowOf(id, [stepOf({ request, ...accepted })]))
    const cases = [
      caseOf('READ', rowsOf('ask', reads), { serial }),
      caseOf('COMMIT', rowsOf('submit', commits), { serial }),
    ]
    return planRun(resolved(suiteOf({ requests: planned.requests, cases })), {}, { seed: '' })
  }
  const pace = { concurrency: 1, times: { read: 100, commit: 1000 }, lateDelay: 3000 }
  t.equal(expectedSeconds(planOf(50, 10), pace), 15)
  t.equal(
    expectedSeconds(planOf(500, 10), { ...pace, concurrency: 8 }),
    Math.ceil(500 / 80 + 10 / 8),
    'a distant target',
  )
  const near = { read: 20, commit: 1000 / 2.7 }
  t.equal(
    expectedSeconds(planOf(3000, 50), { ...pace, times: near, concurrency: 8 }),
    10 + 5,
    'as many as the reference',
  )
  t.equal(expectedSeconds(planOf(50, 10, true), { ...pace, concurrency: 8 }), 15, 'rows that run alone')
  t.equal(expectedSeconds(planOf(0, 27), { ...pace, times: {} }), 10, 'the commits of the reference')
  t.equal(expectedSeconds(planOf(1000, 0), { ...pace, times: { read: 0.1 } }), 2, 'the run itself limits the rate')
})

t.test('a filter selects rows that all calls share', async (t) => {
  const profile = profileOf()
  const [row, ...others] = resolveSuite(planned, profile, undefined, (text) => text === 'CBI-SERIAL/a').rows
  t.strictSame(others, [])
  t.equal(row, resolveSuite(planned, profile, undefined, (text) => text.startsWith('CBI-SERIAL/')).rows[0])
  t.ok(row && resolveSuite(planned, profile).rows.includes(row), 'the whole suite has the same row')
})

t.test('a filter names rows, operations or rules, and an empty selection is an error', async (t) => {
  const selected = (only: string, capabilities = {}): number => {
    const { rows, alone, left } = planRun(resolved(planned), capabilities, { only, seed: '' })
    return rows.length + alone.length + left.length
  }
  const counts: [only: string, count: number][] = [
    ['SAW-MANY/row-1', 1],
    ['SAW-MANY/row', 20],
    ['*/row-1', 1],
    ['submit-and-wait', 20],
    ['SAW-*', 22],
    ['*row*7*', 2],
    ['CBI-SERIAL/a', 1],
    ['CBI-SERIAL/*', 2],
    ['MUST', 26],
  ]
  for (const [only, count] of counts) t.equal(selected(only), count, only)
  t.equal(selected('SHOULD', { authorization: true, 'contract-keys': true }), 1)
  for (const only of ['saw-many', 'SAW.MANY', 'SAW-MANY/row-1$', '*[a-z]', 'ROW*']) {
    t.throws(() => selected(only), new NothingSelected(`no row, operation or rule matches "${only}"`))
  }
  t.throws(() => planRun(resolved(suiteOf()), {}, { seed: '' }), new NothingSelected('the suite has no rows'))
  for (const only of ['CBI-NEEDS', 'CBI-HAZARD/*', 'CBI-HAZARD'])
    t.match(
      planRun(resolved(planned), {}, { only, seed: '' }),
      { rows: [], alone: [], left: [{ reason: { code: String } }] },
      only,
    )
  const hazard = planRun(resolved(planned), {}, { only: 'CBI-*', seed: '', allowed: new Set(['read', 'hazard']) })
  t.strictSame(idsOf(hazard.alone).slice(2).sort(), ['CBI-HAZARD/deep', 'CBI-HAZARD/deeper'], 'last, if permitted')
})

t.test('rows need the fixtures whose variables they use', async (t) => {
  const suite = suiteOf({
    requests: new Map([
      ['ask', requestOf('ask', 'ledger-end', { body: {} })],
      ['base', requestOf('base', 'updates', { query: { limit: '${query.id}' }, body: { a: ['${body.id}'] } })],
    ]),
    tokens: new Map([['invalid', { name: 'invalid', meaning: '', claims: { sub: '${claim}' }, location }]]),
    probes: new Map([
      [
        'probe',
        probeOf('probe', [stepOf({ edit: { '/a': '${before}' } })], [stepOf({ edit: { '/a': '${after.x}' } })]),
      ],
    ]),
    fixtures: new Map(
      [
        fixtureOf('root', [stepOf()]),
        ...['query', 'body', 'edit', 'raw', 'claim', 'header', 'expected', 'before', 'after', 'unused'].map((name) =>
          fixtureOf(name, [stepOf()]),
        ),
        fixtureOf('through', [stepOf({ edit: { '/a': '<${root.id}>' } })]),
      ].map((fixture) => [fixture.name, fixture]),
    ),
  })
  const needed = (step: Parameters<typeof stepOf>[0], given: Partial<Case> = {}): string[] => {
    const row = rowOf('row', [stepOf(step), stepOf(situation('bad'))])
    return resolved({ ...suite, cases: [caseOf('CASE', [row], given)] }).rows[0]?.fixtures ?? []
  }
  t.strictSame(needed({ request: 'base' }), ['query', 'body'])
  t.strictSame(
    needed({ request: 'base', send: { text: '${raw}' } }),
    ['query', 'raw'],
    'a replaced body needs no fixtures',
  )
  t.strictSame(needed({ edit: { '/a': { '${edit.x}': 1 } } }), ['edit'])
  t.strictSame(needed({ send: { headers: { a: '${raw.id}' } }, token: 'invalid' }), ['raw', 'claim'])
  t.strictSame(
    needed({ headers: { a: { equals: '${header}' } }, body: { '/a': { each: { equals: '${expected.id}' } } } }),
    ['header', 'expected'],
  )
  t.strictSame(needed({ edit: { '/a': '${through.x} ${run} ${row}' } }), ['through', 'root'])
  t.strictSame(needed({}, { afterwards: 'probe' }), ['before', 'after'])
  t.strictSame(needed({}), [])
})

t.test('refining a plan removes rows, with the reason', (t) => {
  const able = { authorization: true, 'contract-keys': true }
  const plan = planRun(resolved(planned), able, { seed: 'seed' })
  t.equal(plan.left.length, 2)
  t.same(refinePlan(plan, resolved(planned), able, {}), plan)
  const refined = refinePlan(
    plan,
    resolved(planned),
    { ...able, 'contract-keys': { code: 'protocol-version-too-low', version: 34 } },
    {},
  )
  t.strictSame(
    refined.left.slice(2).map(({ row, reason }) => [row.id, reason]),
    [
      [
        'CBI-NEEDS/keys',
        { code: 'lacks-capability', name: 'contract-keys', because: { code: 'protocol-version-too-low', version: 34 } },
      ],
    ],
  )
  t.equal(refined.rows.length, plan.rows.length - 1)
  t.strictSame(refined.alone, plan.alone)
  t.end()
})
