// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import t from 'tap'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Reason } from '../../../record/types/reason.js'
import type { Strength } from '../../../record/types/resolved-row.js'
import type { Verdict } from '../../../record/types/verdict.js'
import type { RowVerdict } from '../../../runner/judge/judge-row.js'
import type { Divergence, PermittedResponse, Profile } from '../../../runner/suite/suite.js'
import { judge, verdictOf } from '../../support/records/judged-row.js'
import { answered, type NamedEvidence, unanswered } from '../../support/records/small-evidence.js'
import {
  accepted,
  factOf,
  location,
  probeOf,
  requestOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'
import { type InWords, inWords } from '../../support/words/in-words.js'

const notOk = (more: Parameters<typeof answered>[1] = {}): NamedEvidence => answered({}, { status: 404, ...more })

t.test('the strength of a rule decides the verdict of an unmet expectation', async (t) => {
  const verdicts: [rules: string[], unmet: Verdict][] = [
    [['MUST'], 'fail'],
    [['SHOULD'], 'warning'],
    [['SHOULD', 'MUST'], 'fail'],
    [['MAY', 'SHOULD'], 'warning'],
    [['MAY'], 'not-applicable'],
    [['CLIENT'], 'not-applicable'],
    [['UNKNOWN'], 'fail'],
    [[], 'fail'],
  ]
  for (const [rules, unmet] of verdicts) {
    const expecting = [stepOf({ ...accepted, body: { '/a': { equals: 1 } } })]
    t.match(judge(expecting, [answered({ a: 1 })], { rules }), { verdict: 'pass', reason: undefined }, `${rules}`)
    const { verdict, reason } = judge(expecting, [answered({ a: 2 })], { rules })
    t.equal(verdict, unmet, `${rules}: the expectation`)
    t.match(reason, `body /a: expected 1, found 2${unmet === 'warning' ? ' (a recommendation)' : ''}`)
    t.equal(verdictOf(expecting, [notOk({ text: '{"a":1}' })], { rules }), 'fail', `${rules}: acceptance is mandatory`)
    const rejected = [stepOf(situation('bad'))]
    t.equal(verdictOf(rejected, [answered({})], { rules }), unmet, `${rules}: a rejection is as strong as the rule`)
  }
  const strengthOf = (outcome: string): Strength | undefined =>
    judge([stepOf({ outcome })], [answered({})], { rules: ['MAY'] }).judgements[0]?.strength
  t.strictSame([strengthOf('accepted'), strengthOf('bad')], ['must', 'may'])
})

t.test('an incomplete answer fails, even if the rules are weak', async (t) => {
  for (const rules of [['MUST'], ['SHOULD'], ['MAY'], []]) {
    for (const code of ['timeout', 'refused', 'reset', 'malformed'] as const) {
      const { verdict, reason } = judge([stepOf(accepted)], [unanswered(code)], { rules })
      t.equal(verdict, 'fail', `${code}, ${rules}`)
      t.equal(reason, `answer: expected a complete answer, found it ended by ${code}`)
    }
  }
  const half = { ...unanswered('reset'), response: answered({}).response }
  t.equal(verdictOf([stepOf(accepted)], [half as NamedEvidence]), 'fail', 'an answer that ended early')
  const { verdict, reason } = judge([stepOf(accepted)], [answered({}, { cut: true })])
  t.strictSame([verdict, reason], ['fail', 'answer: expected a complete answer, found a partly recorded answer'])
  t.equal(verdictOf([stepOf(situation('bad'))], [unanswered('timeout')]), 'fail', 'a rejection is expected')
})

t.test('an unsent step and evidence of other steps are errors of the program', async (t) => {
  const steps = [stepOf({ name: 'first' }), stepOf({ name: 'second', ...accepted })]
  const [first, second] = [answered({}, { step: 'first' }), answered({}, { step: 'second' })]
  t.equal(verdictOf(steps, [first, second]), 'pass')
  const stopped: Reason = { code: 'step-not-sent', step: 'second', message: 'why' }
  t.match(judge(steps, [first, unanswered('not-sent')], { stopped }), { verdict: 'error', reason: inWords(stopped) })
  for (const evidence of [[], [first], [second], [second, first], [first, second, second]]) {
    t.match(
      judge(steps, evidence),
      { verdict: 'error', reason: /does not match the steps/ },
      `${evidence.length} pieces`,
    )
  }
  t.equal(verdictOf(steps, [first, { ...second, role: 'probe-after' }]), 'error', 'evidence of a probe')
  t.equal(verdictOf(steps, [first, second, second], { stopped: { code: 'evidence-mismatch' } }), 'error')
})

t.test('a failed setup step blocks the row, whatever the answer under test is', async (t) => {
  const steps = [
    stepOf({ name: 'first', ...accepted, body: { '/a': { equals: 1 } } }),
    stepOf({ name: 'second', ...situation('again') }),
  ]
  const second = (status: number): NamedEvidence => answered({}, { step: 'second', status })
  t.equal(verdictOf(steps, [answered({ a: 1 }, { step: 'first' }), second(400)]), 'pass')
  t.equal(verdictOf(steps, [answered({ a: 1 }, { step: 'first' }), second(200)]), 'fail')
  t.match(judge(steps, [notOk({ step: 'first' }), second(200)]), {
    verdict: 'blocked',
    reason: 'setup step first failed: status: expected 2xx, found 404',
  })
  t.match(judge(steps, [unanswered('reset', { step: 'first' }), second(400)]), { verdict: 'blocked' })
  t.match(judge(steps, [answered({ a: 2 }, { step: 'first' }), second(400)]), { verdict: 'fail' }, 'an expectation')
  const stopped: Reason = { code: 'not-captured', step: 'first', missing: [{ variable: 'id', pointer: '/id' }] }
  const judged = judge(steps, [answered({ a: 1 }, { step: 'first' })], { stopped })
  t.match(judged, { verdict: 'blocked', reason: inWords(stopped) })
  t.match(judge(steps, [notOk({ step: 'first' })], { stopped }), { reason: /status: expected 2xx, found 404$/ })
})

t.test('a probe that finds an effect fails the row, and a failed probe blocks it', async (t) => {
  const probe = probeOf(
    'no-effect',
    [stepOf({ name: 'begin', ...accepted })],
    [stepOf({ name: 'read', ...accepted, body: { '': { type: 'array', 'mentions-none': ['${row}'] } } })],
  )
  const given = {
    suite: suiteOf({ probes: new Map([['no-effect', probe]]) }),
    case: { afterwards: 'no-effect' },
    variables: { row: 'r1-000001' },
  }
  const begin = answered({}, { step: 'begin' })
  const read = (json: JsonValue, more: Parameters<typeof answered>[1] = {}): NamedEvidence =>
    answered(json, { step: 'read', ...more })
  const around = (test: NamedEvidence, ...after: NamedEvidence[]): InWords<RowVerdict> =>
    judge([stepOf(situation('bad'))], [begin, test, ...after], given)
  t.match(around(notOk(), read([])), { verdict: 'pass' })
  t.match(around(notOk(), read([{ commandId: 'command r1-000001' }])), { verdict: 'fail', reason: /no mention of/ })
  t.match(around(answered({})), { verdict: 'fail', reason: 'status: expected 4xx, found 200' })
  const failed: NamedEvidence[] = [
    read({}, { status: 500 }),
    read(null, { status: 503, text: 'overloaded' }),
    unanswered('timeout', { step: 'read' }),
  ]
  for (const evidence of failed) {
    t.match(around(notOk(), evidence), { verdict: 'blocked', reason: /^the probe failed: / })
  }
  for (const evidence of [read({}), read(null), read(null, { text: '' }), read(null, { status: 204, text: '' })]) {
    t.match(around(notOk(), evidence), { verdict: 'fail' }, 'only an array can show the absence of an effect')
  }
  t.match(around(notOk()), { verdict: 'error' }, 'an unsent probe')
  const stopped: Reason = { code: 'not-captured', step: 'read', missing: [{ variable: 'end', pointer: '/end' }] }
  t.match(judge([stepOf(situation('bad'))], [begin, notOk()], { ...given, stopped }), {
    verdict: 'blocked',
    reason: inWords(stopped),
  })
  t.throws(() => judge([stepOf(situation('bad'))], [notOk()], { case: { afterwards: 'misspelt' } }), /unknown probe/)
  t.equal(verdictOf([stepOf(accepted)], [answered({})], given), 'pass', 'an accepted request has no probe')
})

t.test('a restoring step has no expectations but acceptance, and blocks the row if it is rejected', async (t) => {
  const steps = [stepOf({ name: 'change', ...accepted }), stepOf({ name: 'read', ...accepted })]
  const back = stepOf({ name: 'back', ...accepted, body: { '/a': { equals: 1 } } })
  const given = { case: { restore: [back] } }
  const [change, read] = [answered({}, { step: 'change' }), answered({}, { step: 'read' })]
  const restored = (body: object, status = 200): NamedEvidence => answered({ ...body }, { step: 'back', status })
  t.equal(verdictOf(steps, [change, read, restored({ a: 1 })], given), 'pass')
  t.equal(verdictOf(steps, [change, read, restored({ a: 2 })], given), 'pass', 'only acceptance counts')
  t.match(judge(steps, [change, read, restored({}, 500)], given), {
    verdict: 'blocked',
    reason: /^the state before the row could not be restored: status/,
  })
  t.equal(verdictOf(steps, [change, notOk({ step: 'read' }), restored({}, 500)], given), 'fail')
  t.match(judge(steps, [change, read], given), { verdict: 'error' }, 'it was not sent')
  const stopped: Reason = { code: 'not-captured', step: 'change', missing: [{ variable: 'id', pointer: '/id' }] }
  const judged = judge(steps, [change, restored({ a: 1 })], { ...given, stopped })
  t.match(judged, { verdict: 'blocked', reason: inWords(stopped) })
  t.match(judge(steps, [change, read], { ...given, stopped }), { verdict: 'error' }, 'a stopped row restores, too')
})

const missing = { name: 'missing', outcome: 'refused', status: ['400'], code: 'MISSING' } satisfies PermittedResponse
const other = {
  name: 'other',
  outcome: 'refused',
  status: ['403'],
  code: 'NA',
  category: -1,
} as const satisfies PermittedResponse
const known = (...facts: ReturnType<typeof factOf>[]): Partial<Profile> => ({
  situations: new Map(facts.map((fact) => [fact.situation, fact])),
})

t.test('a rejection is judged by the outcome that the profile states for its situation', async (t) => {
  const steps = [stepOf(situation('empty'))]
  const profile = known(factOf('empty', [missing]))
  t.match(judge(steps, [answered({ code: 'MISSING' }, { status: 400 })], { profile }), {
    verdict: 'pass',
    judgements: [
      { situation: 'empty' },
      { subject: 'body', pointer: '/code', met: true },
      { check: 'no-server-error' },
    ],
  })
  for (const wrong of [answered({ code: 'OTHER' }, { status: 400 }), answered({ code: 'MISSING' }), notOk()]) {
    t.match(judge(steps, [wrong], { profile }), { verdict: 'fail' })
  }
  t.match(
    judge(steps, [notOk()]),
    { verdict: 'pass', judgements: [{ situation: 'empty', wanted: ['4xx'] }] },
    'unknown',
  )
  for (const status of [200, 302, 429, 500]) t.equal(verdictOf(steps, [answered({}, { status })]), 'fail', `${status}`)
  const codeAlone = known(factOf('empty', [{ name: 'code', outcome: 'refused', code: 'MISSING' }]))
  t.equal(verdictOf(steps, [answered({ code: 'MISSING' }, { status: 422 })], { profile: codeAlone }), 'pass')
  t.equal(
    verdictOf(steps, [answered({ code: 'MISSING' })], { profile: codeAlone }),
    'fail',
    'a success is no rejection',
  )
  t.equal(verdictOf(steps, [notOk()], { profile: { refused: { code: 'X', confidence: 'text' } } }), 'fail')
  t.equal(
    verdictOf([stepOf(accepted)], [notOk()], {
      profile: { accepted: { mediaType: 'application/json', confidence: 'text' } },
    }),
    'fail',
  )
})

t.test('the record names the met alternative, or else the nearest one', async (t) => {
  const steps = [stepOf(situation('empty'))]
  const given = { profile: known(factOf('empty', [missing, other], { divergence: 'D-1' })) }
  const situations = (evidence: NamedEvidence): string[] => [
    ...new Set(judge(steps, [evidence], given).judgements.flatMap((one) => one.situation ?? [])),
  ]
  const second = answered({ code: 'NA', errorCategory: -1 }, { status: 403 })
  t.match(judge(steps, [second], given), { verdict: 'pass', judgements: [{ divergence: 'D-1' }] })
  t.strictSame(situations(second), ['empty (other)'])
  t.strictSame(situations(answered({ code: 'MISSING' }, { status: 400 })), ['empty (missing)'])
  t.strictSame(situations(answered({ code: 'NA' }, { status: 403 })), ['empty (other)'])
  const mixed = answered({ code: 'MISSING', errorCategory: -1 }, { status: 403 })
  t.equal(verdictOf(steps, [mixed], given), 'fail', 'half of two alternatives is neither')
})

t.test('an accepted request must have the effect that its probe expects', async (t) => {
  const stepFor = (name: string, matcher: 'mentions' | 'mentions-none') =>
    stepOf({ name, ...accepted, body: { '': { [matcher]: ['effect'] } } })
  const probe = probeOf('effect', [], [stepFor('none', 'mentions-none')])
  const both = { ...probe, afterAcceptance: [stepFor('some', 'mentions')] }
  const given = { suite: suiteOf({ probes: new Map([['effect', both]]) }), case: { afterwards: 'effect' } }
  const found = (step: string, ...items: string[]): NamedEvidence => answered(items, { step })
  const open = known(factOf('open', [{ name: 'yes', outcome: 'accepted' }, missing]))
  for (const [steps, profile] of [
    [[stepOf(accepted)], {}],
    [[stepOf(situation('open'))], open],
  ] as const) {
    const seen = judge([...steps], [answered({}), found('some', 'effect')], { ...given, profile })
    t.match(seen, { verdict: 'pass' })
    t.match(seen.judgements.at(-1), { step: 2, role: 'probe-after', rules: ['MUST'] }, 'with the rules of the row')
    t.equal(verdictOf([...steps], [answered({}), found('some')], { ...given, profile }), 'fail')
    t.equal(verdictOf([...steps], [answered({}), found('none')], { ...given, profile }), 'error', 'the other branch')
  }
  const no = answered({ code: 'MISSING' }, { status: 400 })
  const rejected = [stepOf(situation('open'))]
  t.equal(verdictOf(rejected, [no, found('none')], { ...given, profile: open }), 'pass')
  t.equal(verdictOf(rejected, [no, found('none', 'effect')], { ...given, profile: open }), 'fail')
  t.equal(verdictOf([stepOf(accepted)], [no, found('none')], given), 'fail')
})

t.test('a request that the profile accepts must be accepted, and may have an effect', async (t) => {
  const probe = probeOf('no-effect', [], [stepOf({ ...accepted, body: { '': { 'mentions-none': ['effect'] } } })])
  const given = {
    suite: suiteOf({ probes: new Map([['no-effect', probe]]) }),
    case: { afterwards: 'no-effect' },
  }
  const effect = answered(['effect'], { step: 'ask 2' })
  const profile = known(factOf('limit', 'accepted', { divergence: 'CLAMPED' }))
  const steps = [stepOf(situation('limit'))]
  t.match(judge(steps, [answered({})], { ...given, profile }), {
    verdict: 'pass',
    judgements: [{ situation: 'limit', divergence: 'CLAMPED', wanted: ['2xx'] }, { check: 'no-server-error' }],
  })
  t.equal(verdictOf(steps, [notOk(), effect], { ...given, profile }), 'fail')
  t.equal(verdictOf(steps, [answered({})], given), 'fail', 'by a profile without the divergence')
  t.match(judge(steps, [notOk(), effect], given), { verdict: 'fail', reason: /no mention/ })
})

t.test('a server error for an invalid request fails, unless the profile states it', async (t) => {
  const steps = [stepOf(situation('kind'))]
  const failing = (code: string): NamedEvidence => answered({ code }, { status: 500 })
  const { verdict, judgements } = judge(steps, [failing('INTERNAL')], { rules: ['SHOULD'] })
  t.equal(verdict, 'fail', 'although the rule of the row is a recommendation')
  t.match(judgements[1], { rules: ['GEN-NO-SERVER-ERROR'], strength: 'must', found: ['500'], met: false })
  const profile = known(
    factOf('kind', [{ name: 'kind', outcome: 'refused', status: ['500'], code: 'INTERNAL' }], { divergence: 'KIND' }),
  )
  t.match(judge(steps, [failing('INTERNAL')], { profile }), {
    verdict: 'pass',
    judgements: [{ divergence: 'KIND' }, {}],
  })
  t.equal(verdictOf(steps, [failing('OTHER')], { profile }), 'fail')
  t.equal(verdictOf([stepOf(accepted)], [failing('INTERNAL')]), 'fail')
})

t.test('every 2xx answer has the schema of the interface, in setup steps, too', async (t) => {
  const requests = new Map([['ask', requestOf('ask', 'submit-and-wait')]])
  const given = { suite: suiteOf({ requests }), rules: ['SHOULD'] }
  const good = { updateId: `1220${'ab'.repeat(32)}`, completionOffset: 7 }
  const shape = (step: Partial<Parameters<typeof stepOf>[0]>, evidence: NamedEvidence): Verdict =>
    verdictOf([stepOf({ ...accepted, ...step })], [evidence], given)
  t.equal(shape({}, answered(good)), 'pass')
  for (const status of [200, 201, 299]) {
    t.equal(shape({}, answered({ updateId: 7 }, { status })), 'fail', `${status}`)
    t.equal(shape({}, answered({}, { status })), 'fail', `${status}`)
    t.equal(shape({}, answered(null, { status, text: '<html></html>' })), 'fail', `${status}`)
  }
  t.equal(shape({}, answered(null, { status: 204, text: '' })), 'fail')
  t.equal(shape({}, answered(parseJson('{"updateId":"x","completionOffset":1.5}'))), 'fail')
  t.equal(shape({ schema: false }, answered({})), 'pass', 'a step without schema')
  t.match(judge([stepOf(accepted)], [answered({ updateId: 7 })], given).judgements, [
    {},
    { rules: ['GEN-NO-SERVER-ERROR'], met: true },
    { rules: ['GEN-JSON-BODY'], met: true },
    { rules: ['GEN-RESPONSE-SHAPE'], strength: 'must', met: false },
  ])
  const invalid = judge([stepOf(accepted)], [answered(null, { text: '{"updateId":' })], given).judgements
  t.match(
    invalid.filter(({ met }) => !met),
    [{ rules: ['GEN-JSON-BODY'], strength: 'must', notJson: true }],
    'invalid JSON has no schema',
  )
  const steps = [stepOf({ name: 'first', ...accepted }), stepOf({ name: 'second', ...accepted })]
  t.equal(
    verdictOf(steps, [answered({}, { step: 'first' }), answered(good, { step: 'second' })], given),
    'fail',
    'a setup step',
  )
  const deep = answered(null, { text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` })
  t.equal(shape({ body: { '': { equals: [] } } }, deep), 'fail', 'nested deeper than the stack')
})

t.test('expectations check status, headers and body, and none is met by invalid JSON', async (t) => {
  const profile = known(factOf('bad', [{ name: 'bad', outcome: 'refused', status: ['400', '404'] }]))
  t.strictSame(
    [400, 404, 403].map((status) => verdictOf([stepOf(situation('bad'))], [answered({}, { status })], { profile })),
    ['pass', 'pass', 'fail'],
  )
  const header = stepOf({ headers: { 'x-one': { equals: 'a' }, 'x-two': { present: false } } })
  const headed = (...headers: [string, string][]): Verdict => verdictOf([header], [answered({}, { headers })])
  t.equal(headed(['X-One', 'a']), 'pass')
  t.equal(headed(['X-One', 'a'], ['x-one', 'b']), 'fail', 'a second header of that name')
  t.equal(headed(['X-One', 'a'], ['X-Two', '']), 'fail')
  t.equal(headed(), 'fail')
  const lenient = { present: false, unpopulated: true } as const
  for (const [matcher, met] of Object.entries({ ...lenient, null: false })) {
    const step = stepOf({ body: { '/a': { [matcher]: met } } })
    for (const text of ['<html>', '', '{"a":', '{"a":1}{}', '\ufeff{}']) {
      const { verdict, judgements } = judge([step], [answered(null, { text })])
      t.strictSame(
        [verdict, judgements.find(({ met }) => !met)?.notJson],
        ['fail', true],
        `${matcher} in ${JSON.stringify(text)}`,
      )
    }
  }
  t.equal(verdictOf([stepOf({ body: { '': { present: false } } })], [answered(null, { text: '' })]), 'pass', 'no body')
  t.equal(verdictOf([stepOf({ body: { '': { present: false } } })], [answered(null, { text: 'x' })]), 'fail')
  const inherited = stepOf({ body: { '/constructor': { present: false }, '/__proto__': { equals: 1 } } })
  t.equal(verdictOf([inherited], [answered(parseJson('{"__proto__":1}'))]), 'pass')
})

t.test('a divergence replaces the expectations of its rule at its pointers', async (t) => {
  const divergence: Divergence = {
    id: 'FILLED',
    rule: 'SHOULD',
    statement: 'It is filled.',
    confidence: 'observed',
    source: 'observed',
    expect: new Map([['/offset', { equals: 1 }]]),
    location,
  }
  const profile = { divergences: [divergence] }
  const steps = [stepOf({ body: { '/offset': { unpopulated: true }, '/node': { unpopulated: true } } })]
  const rules = ['MUST', 'SHOULD']
  t.match(judge(steps, [answered({ offset: 1 })], { profile, rules }), {
    verdict: 'pass',
    judgements: [{ divergence: undefined }, { divergence: 'FILLED', wanted: ['1'] }, { divergence: undefined }],
  })
  t.equal(verdictOf(steps, [answered({})], { profile, rules }), 'fail')
  t.equal(verdictOf(steps, [answered({ offset: 1 })], { profile }), 'fail', 'not for other rules')
  t.equal(verdictOf(steps, [answered({})], { rules }), 'pass', 'not by other profiles')
})

t.test('expectations can use the variables of the row and its user', async (t) => {
  const body = { '/user': { equals: '${user}' }, '/id': { equals: '${id}' } }
  const [alice, operator] = ['conformance-r1-alice', 'conformance-r1-operator'] as const
  const users = { 'user.alice': alice, 'user.operator': operator }
  const given = { variables: { id: 7, ...users } }
  t.equal(verdictOf([stepOf({ as: 'alice', body })], [answered({ user: alice, id: 7 })], given), 'pass')
  t.equal(verdictOf([stepOf({ body })], [answered({ user: operator, id: 7 })], given), 'pass')
  t.match(judge([stepOf({ body })], [answered({ user: operator })], { variables: users }), {
    verdict: 'fail',
    reason: 'body /id: expected equals, but the variable ${id} is not set, found nothing',
  })
})

t.test('stored evidence has the same verdict by the same profile, and a new one by another profile', async (t) => {
  const steps = [stepOf({ name: 'first', ...accepted, body: { '/a': { equals: '${a}' } } }), stepOf(situation('empty'))]
  const evidence = [answered({ a: 1 }, { step: 'first' }), answered({ code: 'NA', errorCategory: -1 }, { status: 403 })]
  const before = JSON.stringify(evidence)
  const given = { variables: { a: 1 }, profile: known(factOf('empty', [missing])) }
  const once = judge(steps, evidence, given)
  t.equal(once.verdict, 'fail')
  t.strictSame(judge(steps, evidence, given), once)
  t.equal(JSON.stringify(evidence), before, 'judging does not change the evidence')
  const stored = JSON.parse(before) as NamedEvidence[] // printed above
  t.strictSame(judge(steps, stored, given), once)
  t.equal(verdictOf(steps, stored, { ...given, profile: known(factOf('empty', [missing, other])) }), 'pass')
})
