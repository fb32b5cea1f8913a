// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites write variables in this form
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { printJson } from '../../../lib/json/json.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { RunRow } from '../../../record/types/record.js'
import { planRun } from '../../../runner/plan/plan.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { run } from '../../../runner/run/run.js'
import { TargetError } from '../../../runner/target/target.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { type Call, type FakeParticipant, fakeParticipant } from '../../support/servers/fake-participant.js'
import { readTarget } from '../../support/suites/plain-target.js'
import {
  accepted,
  caseOf,
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
import { type InWords, rowInWords, throwInWords } from '../../support/words/in-words.js'
import { uselessAnswers } from './useless-answers.js'

const submit = '/v2/commands/submit-and-wait'
/** Without the request that tests whether the operation exists. */
const allocationsAt = (target: FakeParticipant): Call[] =>
  target.callsOf('/v2/parties').filter(({ body }) => typeof body['partyIdHint'] === 'string')
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `row-${index}`)

const suite = suiteOf({
  requests: new Map([
    ['ask', requestOf('ask', 'ledger-end')],
    ['read', requestOf('read', 'updates', { body: {} })],
    [
      'submit',
      requestOf('submit', 'submit-and-wait', { as: 'alice', body: { commandId: 'command ${row}', userId: '${user}' } }),
    ],
  ]),
  actors: new Map([
    ['operator', { name: 'operator', rights: ['ParticipantAdmin', 'CanActAs alice'], location }],
    ['alice', { name: 'alice', rights: ['CanReadAsAnyParty'], location }],
  ]),
  fixtures: new Map(
    [
      fixtureOf('alice', [], { party: { hint: 'al' } }),
      fixtureOf('first', [
        stepOf({
          request: 'submit',
          ...accepted,
          edit: { '/first': '${alice}' },
          capture: { 'first.id': '/updateId' },
        }),
      ]),
      fixtureOf('second', [
        stepOf({
          request: 'submit',
          ...accepted,
          edit: { '/second': '${first.id}' },
          capture: { 'second.at': '/completionOffset' },
        }),
      ]),
      fixtureOf('unneeded', [stepOf({ request: 'submit', ...accepted, edit: { '/unneeded': 1 } })]),
    ].map((fixture) => [fixture.name, fixture]),
  ),
  probes: new Map([
    [
      'no-effect',
      probeOf(
        'no-effect',
        [stepOf({ ...accepted, capture: { begin: '/offset' } })],
        [
          stepOf({
            request: 'read',
            ...accepted,
            edit: { '/from': '${begin}' },
            body: { '': { type: 'array', 'mentions-none': ['${row}'] } },
          }),
        ],
      ),
    ],
  ]),
  cases: [
    caseOf(
      'PLAIN',
      names(11).map((id) => rowOf(id, [stepOf({ request: 'submit', ...accepted })])),
    ),
    caseOf('FIRST', [rowOf('uses', [stepOf({ request: 'submit', ...accepted, edit: { '/a': '${first.id}' } })])]),
    caseOf('SECOND', [rowOf('uses', [stepOf({ ...accepted, body: { '/offset': { 'at-least': '${second.at}' } } })])]),
    caseOf('REFUSED', [rowOf('probed', [stepOf({ request: 'submit', ...situation('bad'), edit: { '/bad': true } })])], {
      afterwards: 'no-effect',
    }),
    caseOf(
      'ALONE',
      ['x', 'y'].map((id) => rowOf(id, [stepOf({ request: 'submit', ...accepted, edit: { '/alone': 1 } })])),
      { serial: true },
    ),
    caseOf('TOKENS', [rowOf('needs', [stepOf(accepted)], { needs: ['authorization'] })]),
  ],
})

const refusing = { [submit]: ({ body }: { body: object }) => ('bad' in body ? { status: 400, json: {} } : undefined) }

interface Ran {
  rows: Record<string, InWords<RunRow>>
  order: string[]
  file: string
}

async function runOn(t: Test, url: string, given: Partial<RunOptions> & { authorization?: string } = {}): Promise<Ran> {
  const { authorization = 'none', ...options } = given
  const file = join(t.testdir(), 'made', 'run.ndjson')
  const reported: [string, number, number][] = []
  const target = readTarget(url, authorization)
  const tool = { name: 'test', version: '0' }
  const usual = { suite, profile: profileOf(), target, embedded: false, recordFile: file, tool, timeLimit: 30_000 }
  await run(
    { ...usual, access: defaultAccess, concurrency: 4, ...options },
    {
      planned: () => undefined,
      row: ({ id }, done, total) => void reported.push([id, done, total]),
    },
  )
  const { rows } = await readRecord(file)
  t.strictSame(
    reported,
    rows.map(({ id }, index) => [id, index + 1, rows.length]),
    'reports each row when it is recorded',
  )
  const byId = Object.fromEntries(rows.map((row) => [row.id, rowInWords(row)]))
  return { rows: byId, order: rows.map(({ id }) => id), file }
}

/** Without the request that checks that the operation exists. */
const submissionsTo = (target: FakeParticipant): Call[] =>
  target.callsOf(submit).filter(({ body }) => Object.keys(body).length > 0)

const verdictsOf = ({ rows }: Ran, id: string): string[] =>
  Object.values(rows).flatMap((row) => (row.id.startsWith(id) ? [row.verdict] : []))

t.test('records all planned rows', async (t) => {
  const target = await fakeParticipant(t, refusing)
  const ran = await runOn(t, target.url, { seed: 'so', concurrency: 1 })
  const { header, exchanges = [], rows, footer, defects } = await readRecord(ran.file)
  t.strictSame(defects, [])
  t.equal(header.plan.length, 17)
  const early = exchanges.flatMap(({ evidence }) => evidence).filter((one) => one.startedAt < header.startedAt)
  t.strictSame(early, [], 'no exchange began before the run')
  t.not(exchanges.length, 0)
  t.match(header, {
    seed: 'so',
    concurrency: 1,
    profile: { name: 'small' },
    suite: { version: '1.2.3', digest: suite.digest },
    target: { url: target.url, version: '3.5.10', authorization: 'none', embedded: false },
    capabilities: { authorization: false, 'open-access': true, 'several-synchronizers': false },
  })
  t.strictSame(header.rules.length, suite.rules.size)
  t.match(footer, { complete: true, conforming: true, executed: 16, counts: { pass: 16, 'not-applicable': 1 } })
  const plan = planRun(resolveSuite(suite, profileOf()), header.capabilities, { seed: 'so' })
  const order = [...plan.left, ...plan.rows, ...plan.alone].map(({ row }) => row.id)
  t.strictSame(
    rows.map(({ id }) => id),
    order,
    'in the order of the plan',
  )
  t.match(ran.rows['TOKENS/needs'], {
    verdict: 'not-applicable',
    reason: /lacks the capability authorization/,
    evidence: [],
  })
  t.match(ran.rows['REFUSED/probed'], {
    verdict: 'pass',
    resolved: { source: { file: 'cases.yaml', line: 7 } },
    evidence: [
      { role: 'probe-before', step: 0 },
      { role: 'act', step: 1 },
      { role: 'probe-after', step: 2 },
    ],
  })
  t.equal(ran.rows['REFUSED/probed']?.reason, undefined)
})

t.test('sends restore steps at the end of each row, also after a stop', async (t) => {
  const target = await fakeParticipant(t)
  const change = stepOf({ request: 'submit', ...accepted, edit: { '/change': 1 } })
  const back = stepOf({ request: 'submit', name: 'back', ...accepted, edit: { '/back': '${row}' } })
  const stopping = { ...change, capture: { nothing: '/nowhere' } }
  const rows = [rowOf('whole', [change, stepOf(accepted)]), rowOf('stopped', [stopping, stepOf(accepted)])]
  const one = { ...suite, cases: [caseOf('BACK', rows, { restore: [back], serial: true })] }
  const ran = await runOn(t, target.url, { suite: one })
  t.match(ran.rows['BACK/whole'], { verdict: 'pass', evidence: [{}, {}, { step: 2, role: 'restore' }] })
  const { verdict, reason, evidence } = ran.rows['BACK/stopped'] ?? {}
  t.match({ verdict, reason }, { verdict: 'blocked', reason: 'step submit did not return nothing (/nowhere)' })
  t.strictSame(
    evidence?.map(({ step, role }) => `${step} ${role}`),
    ['0 arrange', '2 restore'],
  )
  t.equal(target.callsOf(submit).filter(({ body }) => 'back' in body).length, 2)
})

t.test('the marker distinguishes requests of rows and fixtures', async (t) => {
  const target = await fakeParticipant(t, refusing)
  await runOn(t, target.url)
  const calls = submissionsTo(target)
  const ids = calls.map(({ body }) => String(body['commandId']))
  t.equal(ids.length, 2 + 11 + 1 + 1 + 2, 'two fixtures, and all rows that submit')
  t.ok(calls.every(({ body }) => !('unneeded' in body)))
  const within = ids.flatMap((id) => ids.filter((other) => other.includes(id)))
  t.equal(within.length, ids.length, 'no marker contains another one')
  t.match(
    allocationsAt(target).map(({ body }) => body),
    [{ partyIdHint: /^al-[0-9a-f]{8}$/, synchronizerId: '' }],
  )
  const [call] = calls
  t.match(call?.body, { userId: /^conformance-[0-9a-f]{8}-alice$/, first: /^al-[0-9a-f]{8}::1220/ })
  t.equal(target.callsOf('/v2/users').length, 0, 'no user is created without authorization')
  t.ok(target.calls.every(({ authorization }) => authorization === undefined))
})

t.test('runs rows with the given concurrency, and serial rows alone', async (t) => {
  const target = await fakeParticipant(t, refusing)
  await runOn(t, target.url)
  const most = target.mostAtOnce('"commandId"')
  t.ok(most > 1 && most <= 4, `${most} at once`)
  t.equal(target.mostAtOnce('"alone"'), 1)
})

t.test('with authorization, creates a user for each actor and sends its token', async (t) => {
  const target = await fakeParticipant(t, refusing)
  const secret = 'a secret of some length'
  const ran = await runOn(t, target.url, { authorization: `hs256:${secret}` })
  t.equal(ran.rows['TOKENS/needs']?.verdict, 'pass')
  const admin = { kind: { ParticipantAdmin: { value: {} } } }
  t.match(
    target.callsOf('/v2/users').map(({ body }) => body),
    [
      { user: { id: /-operator$/ }, rights: [admin, { kind: { CanActAs: { value: { party: /^al-/ } } } }] },
      { user: { id: /-alice$/ }, rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }] },
    ],
  )
  // The first probe has no token.
  const authorized = target.calls.filter(({ authorization }) => authorization !== undefined)
  const callers = authorized.map(({ path, authorization }) => {
    const { sub = '', aud } = decodeJwt(authorization?.replace('Bearer ', '') ?? '')
    return `${path.replace(/^\/v2\//, '')} ${sub.replace(/-[0-9a-f]{8}-/, '-')} ${aud === undefined ? 'scope' : 'audience'}`
  })
  for (const line of [
    'version participant_admin scope',
    'users participant_admin audience',
    'commands/submit-and-wait conformance-alice audience',
    'updates conformance-operator audience',
  ]) {
    t.ok(callers.includes(line), line)
  }
  const { header, rows } = await readRecord(ran.file)
  const text = printJson(JSON.parse(JSON.stringify([header, rows])))
  t.notMatch(text, secret)
  t.notMatch(text, /eyJ[\w-]{10,}/)
  t.match(text, /Bearer \[redacted: token of conformance-[0-9a-f]{8}-alice\]/)
})

t.test('a failed fixture blocks only the rows that need it', async (t) => {
  const breaking: [what: string, mark: string, answer: object, reason: RegExp][] = [
    [
      'refused',
      'first',
      { status: 403, json: { code: 'NO' } },
      /fixture first failed: step submit failed: status: expected 2xx, found 403 {"code":"NO"}/,
    ],
    ['no id', 'first', { json: {} }, /fixture first failed: step submit did not return first.id \(\/updateId\)/],
    ['a page', 'first', { text: '<html>' }, /fixture first failed: step submit did not return/],
    [
      'the second',
      'second',
      { status: 500, json: {} },
      /fixture second failed: step submit failed: status: expected 2xx, found 500/,
    ],
  ]
  for (const [what, mark, answer, reason] of breaking) {
    const target = await fakeParticipant(t, {
      [submit]: (call) => (mark in call.body ? answer : refusing[submit](call)),
    })
    const ran = await runOn(t, target.url)
    const isFirst = mark === 'first'
    t.match(ran.rows['SECOND/uses'], { verdict: 'blocked', reason, judgements: [], evidence: [] }, what)
    t.match(ran.rows['FIRST/uses'], isFirst ? { verdict: 'blocked', reason } : { verdict: 'pass' }, what)
    const others = Object.values(ran.rows).filter(({ id }) => !/^(?:FIRST|SECOND|TOKENS)/.test(id))
    t.ok(others.every(({ verdict }) => verdict === 'pass') && others.length === 14, what)
    const { footer } = await readRecord(ran.file)
    t.match(footer, { complete: true, conforming: false, executed: isFirst ? 14 : 15 })
  }
})

t.test('a wrong answer fails only the row that received it', async (t) => {
  const lenient = await runOn(t, (await fakeParticipant(t)).url)
  t.strictSame(verdictsOf(lenient, 'REFUSED'), ['fail'])
  const effect = await fakeParticipant(t, {
    [submit]: ({ body }, ledger) => {
      if (!('bad' in body)) return undefined
      ledger.push(body)
      return { status: 400, json: {} }
    },
  })
  const { rows } = await runOn(t, effect.url)
  t.match(rows['REFUSED/probed'], {
    verdict: 'fail',
    reason: /expected no mention of \["[0-9a-f]{8}-0\d{5}-[0-9a-f]{6}"\], found \[/,
  })
  const blind = await runOn(t, (await fakeParticipant(t, { ...refusing, '/v2/updates': () => ({ status: 413 }) })).url)
  t.match(blind.rows['REFUSED/probed'], {
    verdict: 'blocked',
    reason: /^the probe failed: status: expected 2xx, found 413/,
  })
  t.strictSame(verdictsOf(blind, 'PLAIN'), Array(11).fill('pass'))
})

t.test('a fault of the program ends its row, not the run', async (t) => {
  const broken = caseOf('BROKEN', [
    rowOf('row', [stepOf({ ...accepted, headers: { 'content-type': { pattern: '(' } } })]),
    rowOf('unset', [stepOf({ ...accepted, send: { path: '${x}' } })]),
  ])
  const { url } = await fakeParticipant(t, refusing)
  const ran = await runOn(t, url, { suite: { ...suite, cases: [...suite.cases, broken] } })
  t.match(ran.rows['BROKEN/row'], {
    verdict: 'error',
    reason: /^conform could not judge this row: Invalid regular expression/,
  })
  t.match(ran.rows['BROKEN/unset'], {
    verdict: 'error',
    reason: 'step ask was not sent: the variable ${x} is not set',
  })
  t.match((await readRecord(ran.file)).footer, { complete: true, conforming: false, counts: { pass: 16, error: 2 } })
})

t.test('rejects a target that is not a participant, without a record', async (t) => {
  for (const [path, answer, message] of uselessAnswers) {
    const target = await fakeParticipant(t, { [path]: () => answer })
    await t.rejects(runOn(t, target.url).catch(throwInWords), { name: 'TargetError', message }, message.source)
    t.equal(submissionsTo(target).length, 0)
    t.notOk(existsSync(join(t.testdirName, 'made')), 'no record')
  }
  await t.rejects(
    runOn(t, 'http://127.0.0.1:1').catch(throwInWords),
    new TargetError(
      'http://127.0.0.1:1/v2/version: the target cannot be reached (ECONNREFUSED). Is the participant running, and are host and port correct? Add --wait 60s to wait for it.',
    ),
  )
  const echoing = await fakeParticipant(t, {
    '/v2/users': ({ authorization }) => ({ status: 401, text: `what is ${authorization}?` }),
  })
  const redacted = /create-user .* 401: "what is Bearer \[redacted: token of participant_admin\]\?"$/
  await t.rejects(runOn(t, echoing.url, { authorization: 'hs256:a secret of some length' }), redacted)
})

t.test('with several synchronizers, names the first one', async (t) => {
  const connectedSynchronizers = [{ synchronizerId: 'one::1220' }, { synchronizerId: 'two::1220' }]
  const paths = { '/v2/state/connected-synchronizers': () => ({ json: { connectedSynchronizers } }), ...refusing }
  const target: FakeParticipant = await fakeParticipant(t, paths)
  const { file } = await runOn(t, target.url)
  const [allocated, ...others] = allocationsAt(target)
  t.strictSame([allocated?.body['synchronizerId'], others], ['one::1220', []])
  t.equal((await readRecord(file)).header.capabilities['several-synchronizers'], true)
})
