// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
/** A failure names all requests of its row with their answers, and the answer that an expected value is part of. */
import t from 'tap'
import type { Matcher } from '../../record/types/resolved-row.js'
import { failureText } from '../../reports/wording/failure-text.js'
import { relationsOf } from '../../reports/wording/relation.js'
import { sampleHeader } from '../support/records/sample-record.js'
import { sampleExpectation, sampleJudgement, sampleRow, sampleStep } from '../support/records/sample-row.js'
import { resolvedSuite } from '../support/suites/whole-suite.js'

const textOf = (row: ReturnType<typeof sampleRow>): string => failureText(row, sampleHeader())

t.test('each request has one line with its answer, of at most 500 characters', async (t) => {
  const row = sampleRow('A/b', { verdict: 'fail' })
  const [act] = row.evidence
  if (!act?.response) throw new Error('the sample row has an answer')
  const answer = (text: string) => ({ status: 400, headers: [], body: { bytes: text.length, text } })
  const evidence = [
    { ...act, role: 'arrange' as const, response: answer('x'.repeat(600)) },
    { ...act, response: answer(`{"cause":"createdEventBlob is required","more":"${'y'.repeat(600)}"}`) },
    { ...act, role: 'probe-after' as const, response: answer('') },
  ]
  const text = textOf({ ...row, evidence, judgements: [sampleJudgement({ met: false, role: 'probe-after' })] })
  t.match(text, /\n {2}1\. submit \(arrange\): POST \/v2\/\S+ returned 400: x{120} … \[cut: 480 more characters\]\n/)
  t.match(
    text,
    /\n {2}2\. submit \(request under test\): .* returned 400: \{"cause":"createdEventBlob is required","more":"y+ … \[cut: 150 more/,
  )
  t.match(text, /\n {2}3\. submit \(probe after\): POST \S+ returned 400\n/)
  t.equal(text.split('curl -sS').length, 3, 'the request under test, and the read that decides')
})

t.test('a late-effects check shows the request under test as a command', async (t) => {
  const row = sampleRow('A/b', { verdict: 'fail' })
  const [act] = row.evidence
  if (!act) throw new Error('the sample row has an exchange')
  const check = {
    ...act,
    role: 'late-check' as const,
    request: { ...act.request, url: 'http://a/v2/updates', headers: [] },
  }
  const judgements = [sampleJudgement({ met: false, role: 'late-check' })]
  const text = textOf({ ...row, evidence: [act, check], judgements })
  t.match(text, '/v2/commands/submit-and-wait')
  t.notMatch(text, "curl -sS -i -X POST 'http://a/v2/updates'")
  t.match(text, /\n {2}2\. submit \(late-effects check\): POST \/v2\/updates /)
})

t.test('an expected value of an earlier answer is named as such', async (t) => {
  const { rows } = resolvedSuite('canton-3.5')
  const found = rows.flatMap((resolved) =>
    resolved.steps.flatMap(({ expectations, role }, step) =>
      expectations.flatMap((_, expectation) =>
        relationsOf(sampleJudgement({ step, role, expectation, subject: 'body' }), resolved).map((text) => ({
          id: resolved.id,
          text,
        })),
      ),
    ),
  )
  t.ok(
    found.some(({ text }) => /^\/updateId in the answer of step \S/.test(text)),
    'an answer of the row',
  )
  t.ok(
    found.some(({ text }) => text === 'contractId of the fixture ping'),
    'a fixture',
  )
  t.strictSame(relationsOf(sampleJudgement(), { steps: [] }), [])
})

t.test('of a member of a compared object, only the variables of that member are named', async (t) => {
  const body = (pointer: string, matcher: Matcher) =>
    relationsOf(sampleJudgement({ step: 1, expectation: 0, subject: 'body', pointer }), {
      steps: [
        sampleStep({ name: 'create', capture: { contract: '/contractId', owner: '/owner' } }),
        sampleStep({
          expectations: [
            sampleExpectation(['SAW-1'], { anyOf: [{ checks: [{ on: 'body', pointer: '/a', matcher }] }] }),
          ],
        }),
      ],
    })
  const at = { '/b': { equals: '${contract}' }, '/c': { each: { includes: { d: '${owner}' } } } }
  t.strictSame(body('/a/b', { at }), ['/contractId in the answer of step create'])
  t.strictSame(body('/a/c/17/d', { at }), ['/owner in the answer of step create'])
  t.equal(body('/a', { at }).length, 2, 'the whole object')
  t.strictSame(body('/ab', { at }), [])
})
