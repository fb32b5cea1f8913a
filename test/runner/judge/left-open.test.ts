/** Freedoms of the text: steps that a target may decline, optional members, rules that are facts. */
import t from 'tap'
import { optionalMembers } from '../../../interface/described-schemas.js'
import type { JsonValue } from '../../../lib/json/json.js'
import type { Reason } from '../../../record/types/reason.js'
import { makeFixtures } from '../../../runner/provision/fixtures.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { KeyRing } from '../../../runner/sign/signing-key.js'
import type { Profile, Step } from '../../../runner/suite/suite.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { judge, resolvedRow, verdictOf } from '../../support/records/judged-row.js'
import { answered, type NamedEvidence } from '../../support/records/small-evidence.js'
import { fakeParticipant } from '../../support/servers/fake-participant.js'
import {
  accepted,
  factOf,
  fixtureOf,
  profileOf,
  requestOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'

const open = factOf('open', [
  { name: 'accepted', outcome: 'accepted' },
  { name: 'refused', outcome: 'refused' },
])
const profile: Partial<Profile> = { situations: new Map([['open', open]]) }
const requests = new Map(
  (['contract-by-id', 'execute-and-wait-for-transaction', 'update-package-vetting', 'submit-and-wait'] as const).map(
    (name) => [name, requestOf(name, name)],
  ),
)
const suite = suiteOf({ requests: new Map([...suiteOf().requests, ...requests]) })

t.test('a row does not apply if the target declines an optional setup step', async (t) => {
  const steps = [stepOf({ name: 'first', ...situation('open') }), stepOf({ name: 'second', ...accepted })]
  const row = (first: number, second: number): NamedEvidence[] => [
    answered({}, { step: 'first', status: first }),
    answered({}, { step: 'second', status: second }),
  ]
  t.match(judge(steps, row(400, 400), { profile }), {
    verdict: 'not-applicable',
    reason: 'the participant declines an optional feature: step first returned 400',
    judgements: [],
  })
  t.equal(verdictOf(steps, row(200, 400), { profile }), 'fail', 'an accepted step is judged')
  t.equal(verdictOf(steps, row(200, 200), { profile }), 'pass')
  t.equal(verdictOf([stepOf({ name: 'first', ...accepted }), ...steps.slice(1)], row(400, 200), { profile }), 'blocked')
})

t.test('a rejection cites no rule if the request has another fault', async (t) => {
  const steps = [stepOf(situation('wrong'))]
  const judgedRules = (status: number, basis: Profile['basis'], besides?: string): string[] => {
    const given = { profile: { basis }, ...(besides !== undefined && { case: { besides } }) }
    const { judgements } = judge(steps, [answered({}, { status })], given)
    return judgements.filter(({ subject, rules }) => subject === 'status' && rules.includes('MUST')).map(String)
  }
  const count = (...parameters: Parameters<typeof judgedRules>): number => judgedRules(...parameters).length
  t.equal(count(400, 'text', 'The commands are empty.'), 0, 'the other fault may be the cause')
  t.equal(count(200, 'text', 'The commands are empty.'), 1, 'accepting it violates the rule')
  t.equal(count(400, 'text'), 1)
  t.equal(count(400, 'facts', 'The commands are empty.'), 1, 'facts about rejections distinguish the causes')
})

t.test('content expectations apply to accepted requests', async (t) => {
  const steps = [stepOf({ ...situation('open'), body: { '/a': { equals: 1 } } })]
  const verdict = (status: number, json: JsonValue) => verdictOf(steps, [answered(json, { status })], { profile })
  t.strictSame([verdict(200, { a: 1 }), verdict(200, { a: 2 }), verdict(400, { a: 2 })], ['pass', 'fail', 'pass'])
  t.equal(verdict(500, {}), 'fail', 'a server error is neither accepted nor rejected')
})

t.test('an optional member may be absent, but not wrong', async (t) => {
  const pointer = '/createdEvent/templateId'
  const verdictFor = (event: JsonValue, basis: Profile['basis'] = 'text') => {
    const step = stepOf({ request: 'contract-by-id', ...accepted, schema: false, body: { [pointer]: { equals: 'T' } } })
    const evidence = [answered({ createdEvent: event }, { step: 'contract-by-id' })]
    return verdictOf([step], evidence, { suite, profile: { basis } })
  }
  for (const event of [{}, { templateId: null }, { templateId: 'T' }]) t.equal(verdictFor(event), 'pass')
  for (const event of [{ templateId: 'U' }, { templateId: '' }, null]) t.equal(verdictFor(event), 'fail')
  t.strictSame(
    [{}, { templateId: null }, { templateId: 'T' }].map((event) => verdictFor(event, 'facts')),
    ['fail', 'fail', 'pass'],
  )
})

t.test('a missing array item is not an omitted member', async (t) => {
  const pointer = '/transaction/events/0/CreatedEvent/contractId'
  const request = 'execute-and-wait-for-transaction'
  const step = stepOf({ request, ...accepted, schema: false, body: { [pointer]: { equals: 'c' } } })
  const shown = (transaction: JsonValue) => verdictOf([step], [answered({ transaction }, { step: request })], { suite })
  t.strictSame(
    [shown({}), shown({ events: null }), shown({ events: [{ CreatedEvent: {} }] })],
    ['pass', 'pass', 'pass'],
  )
  t.strictSame([shown({ events: [] }), shown({ events: [{ ArchivedEvent: {} }] })], ['fail', 'fail'])
})

t.test('array items may omit optional members', async (t) => {
  const packages = { some: { includes: { packageId: 'p' }, at: { '/packageName': { equals: 'n' } } } }
  const request = 'update-package-vetting'
  const step = stepOf({ request, ...accepted, schema: false, body: { '/newVettedPackages/packages': packages } })
  const verdictFor = (item: JsonValue) =>
    verdictOf([step], [answered({ newVettedPackages: { packages: [item] } }, { step: request })], { suite })
  t.strictSame([{ packageId: 'p' }, { packageId: 'p', packageName: 'n' }].map(verdictFor), ['pass', 'pass'])
  t.strictSame([{ packageId: 'p', packageName: 'm' }, { packageName: 'n' }].map(verdictFor), ['fail', 'fail'])
})

t.test('the interface description defines the optional members', async (t) => {
  t.strictSame(optionalMembers('submit-and-wait', '/updateId'), [])
  t.strictSame(optionalMembers('contract-by-id', '/createdEvent/representativePackageId'), [], 'always set')
  t.strictSame(optionalMembers('update-package-vetting', '/newVettedPackages'), [], 'required')
  // The text marks newVettedPackages as required, and no member of VettedPackages.
  t.strictSame(optionalMembers('update-package-vetting', '/newVettedPackages/packages'), [
    '/newVettedPackages/packages',
  ])
  t.strictSame(optionalMembers('update-package-vetting', '/pastVettedPackages/packages/0/packageId'), [
    '/pastVettedPackages',
    '/pastVettedPackages/packages',
    '/pastVettedPackages/packages/0/packageId',
  ])
  t.strictSame(optionalMembers('contract-by-id', '/createdEvent/createArgument/owner'), [
    '/createdEvent/createArgument',
  ])
  t.strictSame(optionalMembers('contract-by-id', '/createdEvent/unknown'), [])
})

t.test('a row does not apply if the target omits an optional member that later steps need', async (t) => {
  const request = 'update-package-vetting'
  const steps = [
    stepOf({ name: 'read', request, ...accepted, schema: false, capture: { past: '/pastVettedPackages/packages' } }),
    stepOf({ ...accepted }),
  ]
  const evidence = [answered({ newVettedPackages: { packages: [] } }, { step: 'read' })]
  const missing = [{ variable: 'past', pointer: '/pastVettedPackages/packages' }]
  const stopped: Reason = { code: 'not-captured', step: 'read', missing }
  t.match(judge(steps, evidence, { suite, stopped }), {
    verdict: 'not-applicable',
    reason: 'the participant declines an optional feature: the answer to step read omits /pastVettedPackages/packages',
  })
  t.equal(verdictOf(steps, evidence, { suite, stopped, profile: { basis: 'facts' } }), 'blocked')
})

t.test('several requests of a race may return the same answer if the others may be accepted', async (t) => {
  const race: Step = {
    ...stepOf({ request: 'submit-and-wait', ...accepted, schema: false }),
    race: { times: 3, others: 'open' },
  }
  const answersWith = (...ids: (string | undefined)[]) =>
    ids.map((updateId) =>
      answered(updateId === undefined ? {} : { updateId }, {
        step: 'submit-and-wait',
        status: updateId === undefined ? 409 : 200,
      }),
    )
  t.equal(verdictOf([race], answersWith('a', 'a', 'a'), { suite, profile }), 'pass')
  t.equal(verdictOf([race], answersWith('a', undefined, undefined), { suite, profile }), 'pass')
  t.equal(verdictOf([race], answersWith('a', 'b', undefined), { suite, profile }), 'fail')
  t.equal(verdictOf([race], answersWith('a', 'a', 'a'), { suite }), 'fail', 'the others must be rejected')
})

t.test('a declined fixture is distinguished from a failed one', async (t) => {
  const target = await fakeParticipant(t, {
    '/v2/commands/submit-and-wait': () => ({ status: 400, json: { code: 'NO_SUCH_KIND' } }),
    '/v2/package-vetting/update': () => ({ json: { newVettedPackages: { packages: [] } } }),
  })
  const fixtures = [
    fixtureOf('declined', [stepOf({ request: 'submit-and-wait', ...situation('open') })]),
    fixtureOf('failed', [stepOf({ request: 'submit-and-wait', ...accepted })]),
    fixtureOf('lacking', [
      stepOf({ request: 'update-package-vetting', ...accepted, capture: { 'lacking.past': '/pastVettedPackages' } }),
    ]),
  ]
  const resolved = resolveSuite(
    { ...suite, fixtures: new Map(fixtures.map((one) => [one.name, one])) },
    profileOf(profile),
  )
  const session = {
    transport: createTransport(target.url, 5000),
    tokens: { header: async () => undefined },
    keys: new KeyRing(),
    lateDelay: 0,
  }
  const made = await makeFixtures(
    resolved.fixtures,
    { variables: new Map<string, JsonValue>([['run', 'r1']]) },
    session,
  )
  t.strictSame([...made.declined.keys()], ['declined', 'lacking'])
  t.strictSame([...made.failed.keys()], ['failed'])
  t.match(made.declined.get('declined'), {
    code: 'fixture-declined',
    fixture: 'declined',
    because: { code: 'step-declined', step: 'submit-and-wait', status: 400, answer: '{"code":"NO_SUCH_KIND"}' },
  })
})

t.test('the text alone cites no rules that are facts, and statuses have their own basis', async (t) => {
  const [must] = [...suite.rules.values()]
  if (!must) throw new Error('the suite has rules')
  const rules = new Map([...suite.rules, ['FACT', { ...must, id: 'FACT', factOf: 'small' }]])
  const outcomeBy = (given: Partial<Profile>) => {
    const steps = [stepOf(situation('bad'))]
    const [act] = resolvedRow(steps, { suite: { ...suite, rules }, rules: ['FACT', 'MUST'], profile: given }).steps
    return act?.expectations[0]
  }
  t.strictSame(outcomeBy({ basis: 'facts' })?.rules, ['FACT', 'MUST'])
  t.strictSame(outcomeBy({})?.rules, ['MUST'])
  const statusesBy = 'statuses as HTTP means them'
  t.equal(outcomeBy({ statusesBy })?.basis, statusesBy)
  t.equal(outcomeBy({ statusesBy, basis: 'facts' })?.basis, undefined)
})
