// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { isSent } from '../../../runner/judge/sent-steps.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { requestCount } from '../../../runner/plan/cost.js'
import { planRun, refinePlan } from '../../../runner/plan/plan.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { Case, Profile, Suite } from '../../../runner/suite/suite.js'
import { withoutKeys } from '../../../runner/template/generators.js'
import { withValues } from '../../../runner/template/variables.js'
import { resolvedRow } from '../../support/records/judged-row.js'
import { answered, filed } from '../../support/records/small-evidence.js'
import {
  accepted,
  caseOf,
  factOf,
  fixtureOf,
  probeOf,
  profileOf,
  requestOf,
  rowOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'
import { findingsOf, folderWith, lines } from '../../support/suites/suite-folder.js'

const steps = 'cases/execute/steps.yaml'
const several = 'cases/execution/several.yaml'

const find = (suite: Suite, id: string): Case => {
  const found = suite.cases.find((one) => one.id === id)
  if (!found) throw new Error(`missing case ${id}`)
  return found
}

const forBoth = `operations:
  execute: { id: EXE, request: execute, member: a }
  submit-and-wait: { id: SAW, request: create, member: b }
let: { prepared: of the file, who: '\${alice}' }
cases:
  - id: '{id}-BOTH'
    title: A case of {id}, and {nothing} for \${who}
    rules: [GEN-POST]
    let: { prepared: of the case }
    request: '{request}'
    outcome: accepted
    rows:
      - { id: as-it-is }
      - { id: its-own, let: { prepared: of the row }, edit: { '/{member}': '\${prepared} {id}' } }
`

t.test('a file for several operations is read once for each of them', async (t) => {
  const suite = await loadSuite(await folderWith(t, [several, undefined, forBoth]))
  t.strictSame(
    suite.cases.filter(({ id }) => id.endsWith('-BOTH')).map(({ id, operation, title }) => [id, operation, title]),
    [
      ['EXE-BOTH', 'execute', 'A case of EXE, and {nothing} for ${who}'],
      ['SAW-BOTH', 'submit-and-wait', 'A case of SAW, and {nothing} for ${who}'],
    ],
    'an unknown name stays unchanged',
  )
  const tested = ['EXE-BOTH', 'SAW-BOTH'].map((id) => find(suite, id).rows[1]?.steps[0])
  t.match(tested, [
    { request: 'execute', edit: { '/a': '${prepared} EXE' } },
    { request: 'create', edit: { '/b': '${prepared} SAW' } },
  ])
})

t.test('values of a row override those of its case, which override those of the file', async (t) => {
  const suite = await loadSuite(await folderWith(t, [several, undefined, forBoth]))
  t.strictSame(
    find(suite, 'EXE-BOTH').rows.map(({ values }) => values),
    [
      { prepared: 'of the case', who: '${alice}' },
      { prepared: 'of the row', who: '${alice}' },
    ],
  )
  const variables = new Map([['alice', 'alice::1220']])
  const filled = withValues(find(suite, 'EXE-BOTH').rows[1]?.values ?? {}, variables, withoutKeys)
  t.strictSame(Object.fromEntries(filled), { alice: 'alice::1220', prepared: 'of the row', who: 'alice::1220' })
})

t.test('a value can use earlier values, including those of a row', async (t) => {
  const chain = forBoth.replace('who: ', "whole: 'all ${prepared}', who: ")
  const suite = await loadSuite(await folderWith(t, [several, undefined, chain]))
  const whole = find(suite, 'EXE-BOTH').rows.map(({ values }) =>
    withValues(values, new Map([['alice', 'alice::1220']]), withoutKeys).get('whole'),
  )
  t.strictSame(whole, ['all of the case', 'all of the row'])
})

t.test('a file names either one operation or several', async (t) => {
  const message = async (text: string) => {
    const folder = await folderWith(t, [several, undefined, text])
    return lines(folder, await findingsOf(folder))
  }
  t.not((await message(forBoth.replace('operations:', 'operation: execute\noperations:'))).length, 0)
  t.not((await message(forBoth.replace(/^operations:[\s\S]*?(?=let:)/, ''))).length, 0)
  t.not(
    (await message(forBoth.replace(/ {2}submit-and-wait:.*\n/, ''))).length,
    0,
    'several operations are at least two',
  )
  t.match(await message(forBoth.replace('{ id: SAW, request: create', '{ id: EXE, request: create')), [
    /the case "EXE-BOTH" is already defined/,
  ])
})

t.test('a probe can use variables that each of its cases sets or captures', async (t) => {
  const folder = await folderWith(
    t,
    ['probes.yaml', "/begin: '${begin}'", "/begin: '${begin}', /since: '${prepared}'"],
    [steps, '    steps:\n', '    afterwards: no-transaction\n    steps:\n'],
    ['cases/contract-by-id/look-up.yaml', '    afterwards: no-transaction\n', ''],
  )
  t.strictSame(lines(folder, await findingsOf(folder)), [])
})

t.test('a probe with steps for accepted requests also surrounds accepted rows', (t) => {
  const lookup = (name: string) => stepOf({ name, ...accepted })
  const probe = { ...probeOf('effect', [lookup('before')], [lookup('none')]), afterAcceptance: [lookup('some')] }
  const plain = probeOf('plain', [lookup('before')], [lookup('none')])
  const suite = suiteOf({
    probes: new Map([
      ['effect', probe],
      ['plain', plain],
    ]),
  })
  const names = (verdict: Parameters<typeof stepOf>[0], afterwards: string, status: number): string[] => {
    const row = resolvedRow([stepOf({ name: 'tested', ...verdict })], { suite, case: { afterwards } })
    const evidence = filed(row, [answered({}, { step: 'tested', status })])
    return row.steps.filter((step) => isSent(step, evidence)).map(({ name }) => name)
  }
  t.strictSame(names(accepted, 'effect', 200), ['before', 'tested', 'some'])
  t.strictSame(names(accepted, 'effect', 400), ['before', 'tested', 'none'])
  t.strictSame(names(situation('bad'), 'effect', 200), ['before', 'tested', 'some'])
  t.strictSame(names(situation('bad'), 'effect', 400), ['before', 'tested', 'none'])
  t.strictSame(names(situation('bad'), 'effect', 500), ['before', 'tested', 'none'])
  t.strictSame(names(accepted, 'plain', 200), ['tested'])
  t.strictSame(names(situation('bad'), 'plain', 200), ['before', 'tested'])
  t.strictSame(names(situation('bad'), 'plain', 400), ['before', 'tested', 'none'])
  t.end()
})

t.test('the plan counts the submissions that the profile accepts', (t) => {
  const requests = ['submit-and-wait', 'execute', 'execute-and-wait-for-transaction', 'execute-and-wait', 'prepare']
  const steps = requests.flatMap((name) =>
    [accepted, situation('open'), situation('known'), situation('bad')].map((outcome) =>
      stepOf({ request: name, ...outcome }),
    ),
  )
  const suite = suiteOf({
    requests: new Map(requests.map((name) => [name, requestOf(name, name)])),
    cases: [caseOf('CASE', [rowOf('row', steps)])],
  })
  const either = factOf('open', [{ name: 'yes', outcome: 'accepted' }])
  const one = factOf('bad', [
    { name: 'yes', outcome: 'accepted' },
    { name: 'no', outcome: 'refused', status: ['400'] },
  ])
  const known = factOf('known', 'accepted', { divergence: 'D' })
  const situations = new Map([either, one, known].map((fact) => [fact.situation, fact]))
  const transactions = (profile: Profile): number =>
    planRun(resolveSuite(suite, profile), {}, { seed: '' }).transactions
  t.equal(transactions(profileOf()), 4)
  t.equal(transactions(profileOf({ situations })), 16, 'including submissions that may be accepted')
  t.end()
})

t.test('the plan counts the requests to a conforming target', (t) => {
  const lookup = stepOf(accepted)
  const probe = { ...probeOf('effect', [lookup], [lookup]), afterAcceptance: [lookup, lookup] }
  const count = (outcome: Parameters<typeof stepOf>[0]): number => {
    const cases = [caseOf('CASE', [rowOf('row', [stepOf(outcome)])], { afterwards: 'effect' })]
    const suite = suiteOf({ probes: new Map([['effect', probe]]), cases })
    return requestCount(planRun(resolveSuite(suite, profileOf()), {}, { seed: '' }))
  }
  t.equal(count(accepted), 1 + 1 + 2)
  t.equal(count(situation('bad')), 1 + 1 + 1)
  t.end()
})

t.test('refining a plan removes the rows of a missing capability', (t) => {
  const needing = (id: string, ...needs: string[]) => rowOf(id, [stepOf(accepted)], { needs })
  const suite = suiteOf({
    cases: [
      caseOf('CASE', [needing('free'), needing('late', 'hashing-v3')]),
      caseOf('SERIAL', [needing('late', 'hashing-v3')], { serial: true }),
    ],
  })
  const able = { 'hashing-v3': true }
  const resolved = resolveSuite(suite, profileOf())
  const plan = planRun(resolved, able, { seed: '' })
  const without = refinePlan(plan, resolved, { 'hashing-v3': false }, {})
  t.strictSame(
    without.rows.map(({ row }) => row.id),
    ['CASE/free'],
  )
  t.strictSame(without.alone, [])
  t.strictSame(without.left.map(({ row, reason }) => [row.id, reason]).toSorted(), [
    ['CASE/late', { code: 'lacks-capability', name: 'hashing-v3' }],
    ['SERIAL/late', { code: 'lacks-capability', name: 'hashing-v3' }],
  ])
  const late = planRun(resolved, able, { only: 'late', seed: '' })
  const refined = refinePlan(late, resolved, { 'hashing-v3': false }, {})
  t.match(refined, { rows: [], alone: [] }, 'no row remains')
  t.end()
})

t.test('values of rows and fixtures use fixtures', (t) => {
  const fixtures = [
    fixtureOf('root', [stepOf()]),
    fixtureOf('made', [stepOf()], { values: { party: '${root}' } }),
    fixtureOf('other', [stepOf()]),
  ]
  const suite = suiteOf({ fixtures: new Map(fixtures.map((one) => [one.name, one])) })
  const values = { key: { with: ['${made.key}'] } }
  t.strictSame(resolvedRow([stepOf(accepted)], { suite, row: { values } }).fixtures, ['made', 'root'])
  t.end()
})
