// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that

import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { wantedText } from '../../../reports/wording/fact-text.js'
import { foundText } from '../../../reports/wording/reason-words.js'
import { performRow } from '../../../runner/execute/perform-row.js'
import type { Session } from '../../../runner/execute/perform-step.js'
import type { RowVerdict } from '../../../runner/judge/judge-row.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { KeyRing } from '../../../runner/sign/signing-key.js'
import type { Row, Step } from '../../../runner/suite/suite.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { judge as judgeSmall, resolvedRow } from '../../support/records/judged-row.js'
import { answered, type NamedEvidence, unanswered } from '../../support/records/small-evidence.js'
import { type FakeParticipant, fakeParticipant } from '../../support/servers/fake-participant.js'
import { accepted, factOf, probeOf, requestOf, situation, stepOf, suiteOf } from '../../support/suites/small-suite.js'
import { findingsOf, folderWith, lines } from '../../support/suites/suite-folder.js'
import type { InWords } from '../../support/words/in-words.js'

const submit = requestOf('submit', 'submit-and-wait', { body: { commandId: 'command ${attempt}', user: '${user}' } })
const follow = requestOf('follow', 'submit-and-wait', { body: { commandId: '${won}' } })
const suite = suiteOf({
  requests: new Map([
    ['submit', submit],
    ['follow', follow],
  ]),
})

const racing = (given: Parameters<typeof stepOf>[0] = {}): Step => ({
  ...stepOf({ request: 'submit', ...accepted, ...given }),
  race: { times: 5, others: 'lost' },
})

const sessionFor = ({ url }: FakeParticipant): Session => ({
  transport: createTransport(url, 5000),
  tokens: { header: async () => undefined },
  keys: new KeyRing(),
  lateDelay: 0,
})

const variables = new Map<string, JsonValue>([
  ['run', 'r1'],
  ['user.operator', 'operator'],
])

const attemptOf = (body: JsonObject): number => Number(String(body['commandId']).replace('command ', ''))

t.test('the requests of a race are sent concurrently, and captures come from the winner', async (t) => {
  const arrived: (() => void)[] = []
  const target = await fakeParticipant(t, {
    '/v2/commands/submit-and-wait': async ({ body }) => {
      await new Promise<void>((resolve) => {
        // The first answer follows the last request.
        if (arrived.push(resolve) >= 5) for (const answer of arrived) answer()
      })
      return attemptOf(body) === 3 ? { json: { updateId: 'third' } } : { status: 409, json: { code: 'LOST' } }
    },
  })
  const row = resolvedRow([racing({ capture: { won: '/updateId' } }), stepOf({ request: 'follow' })], { suite })
  const done = await performRow(row, variables, sessionFor(target))
  t.strictSame(
    done.evidence.map(({ response }) => response?.status),
    [409, 409, 200, 409, 409, 409],
    'evidence is in the order of the attempts',
  )
  t.strictSame(
    target.calls
      .slice(0, 5)
      .map(({ body }) => attemptOf(body))
      .sort(),
    [1, 2, 3, 4, 5],
  )
  t.equal(target.calls[5]?.body['commandId'], 'third')
  t.notOk(done.variables.has('attempt'))
})

t.test('captures of a race without winner are missing', async (t) => {
  const target = await fakeParticipant(t, { '/v2/commands/submit-and-wait': () => ({ status: 409, json: {} }) })
  const row = resolvedRow([racing({ capture: { won: '/updateId' } }), stepOf({ request: 'submit' })], { suite })
  const { evidence, stopped } = await performRow(row, variables, sessionFor(target))
  t.equal(evidence.length, 5)
  t.strictSame(stopped, {
    code: 'not-captured',
    step: 'submit',
    missing: [{ variable: 'won', pointer: '/updateId' }],
  })
})

const lost = factOf('lost', [
  { name: 'locked', outcome: 'refused', status: ['409'], code: 'LOCKED' },
  { name: 'gone', outcome: 'refused', status: ['404'], code: 'GONE' },
])
const profile = { situations: new Map([['lost', lost]]) }

t.test('a rejection without its captures stops the row, unless the step under test permits it', async (t) => {
  const target = await fakeParticipant(t, { '/v2/contracts/contract-by-id': () => ({ status: 409, json: {} }) })
  const either = factOf('either', [{ name: 'done', outcome: 'accepted' }, ...lost.alternatives])
  const requests = new Map([['ask', requestOf('ask', 'contract-by-id', { body: {} })]])
  const stoppedAt = async (...outcomes: string[]): Promise<string | undefined> => {
    const steps = outcomes.map((outcome) => stepOf({ name: outcome, outcome, capture: { won: '/a' } }))
    const given = { suite: suiteOf({ requests }), profile: { situations: new Map([['either', either]]) } }
    const { stopped } = await performRow(resolvedRow(steps, given), variables, sessionFor(target))
    return stopped?.code === 'not-captured' ? stopped.step : undefined
  }
  t.equal(await stoppedAt('accepted'), 'accepted')
  t.equal(await stoppedAt('either'), undefined)
  t.equal(await stoppedAt('either', 'accepted'), 'either')
})

const won = (): NamedEvidence => answered({ updateId: 'u', completionOffset: 1 }, { step: 'submit' })
const locked = (): NamedEvidence => answered({ code: 'LOCKED' }, { step: 'submit', status: 409 })
const gone = (): NamedEvidence => answered({ code: 'GONE' }, { step: 'submit', status: 404 })

const judge = (evidence: NamedEvidence[], steps: Step[] = [racing()]): InWords<RowVerdict> =>
  judgeSmall(steps, evidence, { suite, profile })

t.test('one request wins, and each other one is rejected with a permitted outcome', async (t) => {
  t.match(judge([locked(), won(), gone(), locked(), gone()]), { verdict: 'pass', reason: undefined })
  const failures: [what: string, evidence: NamedEvidence[], reason: RegExp][] = [
    ['no winner', [locked(), locked(), gone(), locked(), locked()], /expected 1 of 5 accepted, found 0 accepted/],
    ['two winners', [locked(), won(), gone(), won(), locked()], /expected 1 of 5 accepted, found 2 accepted/],
    [
      'a loser with another error',
      [locked(), won(), gone(), answered({ code: 'OTHER' }, { step: 'submit', status: 409 }), locked()],
      /\/code: expected "LOCKED", found "OTHER"/,
    ],
    [
      'a server error',
      [locked(), won(), gone(), answered({}, { step: 'submit', status: 500 }), locked()],
      /status: expected/,
    ],
    [
      'a loser without an answer',
      [locked(), won(), gone(), { ...unanswered('reset'), step: 'submit' }, locked()],
      /a complete answer/,
    ],
  ]
  for (const [what, evidence, reason] of failures) {
    const judged = judge(evidence)
    t.equal(judged.verdict, 'fail', what)
    t.match(judged.reason, reason, what)
  }
  const first = judge([gone(), locked(), locked(), locked(), locked()]).judgements.filter(({ met }) => !met)
  t.match(
    first.find(({ subject }) => subject === 'status'),
    { attempt: 1, situation: 'accepted', found: ['404'] },
    'without winner, the first request is judged as the winner',
  )
  t.match(judge([locked(), won(), gone(), locked()]), { verdict: 'error' }, 'evidence of four attempts, not five')
})

t.test('without outcome for the others, all requests must be accepted', async (t) => {
  const all = [{ ...stepOf({ request: 'submit', ...accepted }), race: { times: 3 } }]
  const ofAll = (evidence: NamedEvidence[]): InWords<RowVerdict> => judge(evidence, all)
  t.match(ofAll([won(), won(), won()]), { verdict: 'pass', reason: undefined })
  const judged = ofAll([won(), locked(), won()])
  t.equal(judged.verdict, 'fail')
  const unmet = judged.judgements.filter(({ met }) => !met).map((one) => [wantedText(one), foundText(one)])
  t.strictSame(unmet, [
    ['3 of 3 accepted', '2 accepted'],
    ['2xx', '409'],
  ])
})

t.test('a step after a race is judged by its own evidence', async (t) => {
  const after = stepOf({ request: 'submit', name: 'after', ...accepted, body: { '/a': { equals: 1 } } })
  const evidence = [locked(), won(), gone(), locked(), gone()]
  const last = (a: number): NamedEvidence => answered({ a, updateId: 'u', completionOffset: 1 }, { step: 'after' })
  t.equal(judge([...evidence, last(1)], [racing(), after]).verdict, 'pass')
  t.equal(judge([...evidence, last(2)], [racing(), after]).verdict, 'fail')
  t.match(judge([won(), ...evidence.slice(1), last(1)], [racing(), after]), {
    verdict: 'blocked',
    reason: /2 accepted/,
  })
})

t.test('an unanswered probe fails a hazardous row and blocks other rows', async (t) => {
  const probe = probeOf('still', [], [stepOf({ name: 'end', ...accepted })])
  const probed = suiteOf({
    requests: new Map([['ask', requestOf('ask', 'ledger-end')]]),
    probes: new Map([['still', probe]]),
  })
  const evidence = [answered({}, { status: 400 }), unanswered('refused', { step: 'end' })]
  const verdictWith = (impact: Row['impact']): InWords<RowVerdict> =>
    judgeSmall([stepOf(situation('bad'))], evidence, { suite: probed, row: { impact }, case: { afterwards: 'still' } })
  t.match(verdictWith('hazard'), { verdict: 'fail', reason: /^the target stopped answering after the request/ })
  t.match(verdictWith('read'), { verdict: 'blocked', reason: /^the probe failed/ })
})

async function repeatedSteps(t: Test, operation: 'submit-and-wait' | 'contract-by-id', path: string) {
  let requests = 0
  const target = await fakeParticipant(t, {
    [path]: () => {
      requests += 1
      return { json: requests < 3 ? { user: 'other' } : { user: 'operator', id: 'x' } }
    },
  })
  const step: Step = {
    ...stepOf({
      request: 'ask',
      body: { '/user': { equals: '${user}' }, '/id': { format: 'update-id' } },
    }),
    eventually: 5,
  }
  const matcher = { type: 'string', empty: false } as const
  const formats = new Map([['update-id', { matcher, text: matcher, confidence: 'text' as const }]])
  const of = suiteOf({ requests: new Map([['ask', requestOf('ask', operation)]]) })
  const row = resolvedRow([step], { suite: of, profile: { formats } })
  const { evidence } = await performRow(row, variables, sessionFor(target))
  return { requests, text: evidence[0]?.response?.body.text }
}

t.test('a repeated step can wait for the user of the request and for a format', async (t) => {
  const { requests, text } = await repeatedSteps(t, 'contract-by-id', '/v2/contracts/contract-by-id')
  t.equal(requests, 3, 'the step repeats until the answer meets the expectations')
  t.match(text, 'operator')
})

t.test('an accepted submission is not repeated for its body', async (t) => {
  const { requests, text } = await repeatedSteps(t, 'submit-and-wait', '/v2/commands/submit-and-wait')
  t.equal(requests, 1)
  t.match(text, 'other')
})

const file = 'cases/execute/race.yaml'
const withStep = (step: string): string => `operation: execute
cases:
  - id: EXE-RACE
    title: A race
    rules: [GEN-POST]
    steps:
      - ${step}
`

t.test('only a race defines the variable attempt', async (t) => {
  const race =
    "{ request: party, edit: { /a: '${attempt}' }, race: { times: 3, others: unknown-contract }, outcome: accepted }"
  const { cases } = await loadSuite(await folderWith(t, [file, undefined, withStep(race)]))
  const step = cases.find(({ id }) => id === 'EXE-RACE')?.rows[0]?.steps[0]
  t.strictSame(step?.race, { times: 3, others: 'unknown-contract' })
  const mistakes: [step: string, findings: string[]][] = [
    [
      "{ request: party, edit: { /a: '${attempt}' }, outcome: accepted }",
      [`${file}:7:39: the variable \${attempt} is not defined here | capture it in an earlier step, or name a fixture`],
    ],
    [
      '{ request: party, race: { times: 3, others: unknown-contract }, outcome: empty-act-as }',
      [`${file}:7:33: a race needs the outcome of its winner | add "outcome: accepted" to the step`],
    ],
    [
      '{ request: party, race: { times: 3, others: unkown-contract }, outcome: accepted }',
      [
        `${file}:7:53: unknown situation "unkown-contract" | did you mean "unknown-contract"? allowed: accepted, empty-act-as, unknown-contract`,
      ],
    ],
    [
      '{ request: party, race: { others: unknown-contract }, outcome: accepted }',
      [`${file}:7:33: missing key "times"`],
    ],
  ]
  for (const [step, findings] of mistakes) {
    const folder = await folderWith(t, [file, undefined, withStep(step)])
    t.strictSame(lines(folder, await findingsOf(folder)), findings)
  }
})
