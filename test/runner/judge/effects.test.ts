/** The late effects of a row are compared with the transactions that its answers report. */
import t from 'tap'
import { type JsonValue, printJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { judgeRow } from '../../../runner/judge/judge-row.js'
import { sampleExpectation, sampleRow, sampleStep } from '../../support/records/sample-row.js'
import { answered, filed } from '../../support/records/small-evidence.js'
import { inWords } from '../../support/words/in-words.js'

const effects = (when: 'accepted' | 'refused', rule: string, untold = 0) =>
  sampleExpectation([rule], { kind: 'effects', anyOf: [{ checks: [{ on: 'effects', when, untold }] }] })

const ledgerRules = [effects('refused', 'GEN-NO-EFFECT'), effects('accepted', 'SAW-PURPOSE')]

function rowOf(operation: string, before: string[] = [], expectations = ledgerRules): ResolvedRow {
  const act = sampleStep({ name: 'act', operation, expectations })
  const arranged = before.map((name) => sampleStep({ name, role: 'arrange', operation: name, expectations: [] }))
  return { ...sampleRow('CASE/row').resolved, steps: [...arranged, act] }
}

const transaction = (updateId: string): JsonValue => ({
  update: { Transaction: { value: { updateId, commandId: 'row-1' } } },
})

const lateCheck = (row: ResolvedRow, ...ids: string[]): Evidence => {
  const text = printJson(ids.map(transaction))
  return {
    step: row.steps.length - 1,
    role: 'late-check',
    request: { method: 'POST', url: 'http://127.0.0.1/v2/updates', headers: [] },
    response: { status: 200, headers: [], body: { text, bytes: text.length } },
    startedAt: '2026-11-21T12:00:03.000Z',
    milliseconds: 0,
  }
}

const variables = new Map([['row', 'row-1']])

function reasonOf(row: ResolvedRow, answers: Parameters<typeof filed>[1], ...ids: string[]): string {
  const judged = judgeRow(row, { evidence: [...filed(row, answers), lateCheck(row, ...ids)], variables })
  return [judged.verdict, ...(judged.reason ? [inWords(judged.reason)] : [])].join(': ')
}

t.test('the ledger contains no transaction of a rejected request', async (t) => {
  const row = rowOf('submit-and-wait')
  const rejection = answered({ code: 'X' }, { step: 'act', status: 400 })
  t.equal(reasonOf(row, [rejection]), 'pass')
  t.equal(reasonOf(row, [rejection], '1220aa'), 'fail: rejected with 400, but committed: update 1220aa')
  const arranged = rowOf('submit-and-wait', ['submit-and-wait'])
  const first = answered({ updateId: '1220aa' }, { step: 'submit-and-wait' })
  t.equal(reasonOf(arranged, [first, rejection], '1220aa'), 'pass', 'the setup step reports its transaction')
  t.match(
    reasonOf(arranged, [first, rejection], '1220aa', '1220bb'),
    /^fail: rejected with 400, but committed: update 1220bb$/,
  )
  const known = rowOf('submit-and-wait', [], [effects('refused', 'GEN-NO-EFFECT', 1)])
  t.equal(reasonOf(known, [rejection], '1220aa'), 'pass', 'the profile permits one transaction')
})

t.test('the ledger contains only the transaction of an accepted request', async (t) => {
  const row = rowOf('submit-and-wait')
  const accepted = answered({ updateId: '1220aa' }, { step: 'act' })
  t.equal(reasonOf(row, [accepted], '1220aa'), 'pass')
  t.equal(reasonOf(row, [accepted], '1220bb'), 'pass', 'another expectation judges the wrong update id')
  t.match(reasonOf(row, [accepted], '1220aa', '1220bb'), /^fail: accepted with 200, but also committed: update 1220bb$/)
  const reading = rowOf('updates', ['submit-and-wait'], [effects('accepted', 'SAW-PURPOSE')])
  const before = answered({ updateId: '1220aa' }, { step: 'submit-and-wait' })
  t.match(reasonOf(reading, [before, answered([], { step: 'act' })], '1220aa', '1220bb'), /update 1220bb$/)
})

t.test('an answer without update id permits one unreported transaction', async (t) => {
  const row = rowOf('execute')
  const accepted = answered({}, { step: 'act' })
  t.equal(reasonOf(row, [accepted], '1220aa'), 'pass')
  t.match(reasonOf(row, [accepted], '1220aa', '1220bb'), /^fail/)
  t.equal(reasonOf(row, [answered({}, { step: 'act', status: 503 })], '1220aa'), 'pass', 'a 503 can mean either')
  const completed = (code: number, updateId: string): JsonValue => ({
    completionResponse: { Completion: { value: { commandId: 'row-1', submissionId: '', updateId, status: { code } } } },
  })
  const watched: ResolvedRow = {
    ...row,
    steps: [
      ...row.steps,
      sampleStep({ name: 'completions', role: 'probe-after', operation: 'completions', expectations: [] }),
    ],
  }
  const judged = (list: JsonValue, ...ids: string[]): string => {
    const evidence = [
      ...filed(watched, [accepted, answered(list, { step: 'completions' })]),
      { ...lateCheck(watched, ...ids), step: 0 },
    ]
    return judgeRow(watched, { evidence, variables }).verdict
  }
  t.equal(judged([completed(0, '1220aa')], '1220aa'), 'pass')
  t.equal(judged([completed(9, '')]), 'pass')
  t.equal(judged([completed(9, '')], '1220aa'), 'fail', 'rejected by its completion, but committed')
})

t.test('the reason names the transactions of the ledger before those of a probe', async (t) => {
  const isEmpty = { checks: [{ on: 'body' as const, pointer: '', matcher: { equals: [] } }] }
  const expectations = [sampleExpectation(['SAW-4'], { kind: 'content', anyOf: [isEmpty] })]
  const probe = sampleStep({ name: 'probe', role: 'probe-after', operation: 'updates', expectations })
  const row = rowOf('submit-and-wait')
  const probed = { ...row, steps: [...row.steps, probe] }
  const answers = [answered({}, { step: 'act', status: 400 }), answered([{}], { step: 'probe' })]
  const evidence = [...filed(probed, answers), { ...lateCheck(row, '1220aa'), step: 0 }]
  t.match(judgeRow(probed, { evidence, variables }), {
    verdict: 'fail',
    reason: { unmet: { found: ['400', '1220aa'] } },
  })
})

t.test('a row without late-effects check has no judgement of its effects', async (t) => {
  const row = rowOf('submit-and-wait')
  const evidence = filed(row, [answered({ code: 'X' }, { step: 'act', status: 400 })])
  t.strictSame(judgeRow(row, { evidence, variables }), { verdict: 'pass', judgements: [] })
})
