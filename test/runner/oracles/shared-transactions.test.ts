/** Transactions that several rows may have caused, and contracts that several rows use. */
import t from 'tap'
import { printJson } from '../../../lib/json/json.js'
import { withOracleFindings } from '../../../record/judgements/oracle-findings.js'
import type { Evidence, OracleFinding, RecordedRead, RunRow } from '../../../record/types/record.js'
import { causeOf } from '../../../reports/summary/cause.js'
import { judgeOracles } from '../../../runner/oracles/judge-oracles.js'
import {
  sampleEvidence,
  sampleExpectation,
  sampleJudgement,
  sampleRow,
  sampleStep,
} from '../../support/records/sample-row.js'

const startedAt = '2026-01-01T00:00:00.000Z'
const at = (second: number): string => new Date(Date.parse(startedAt) + second * 1000).toISOString()
const party = 'eve::1220'

const header = {
  run: 'run1',
  made: { parties: [party], users: [], rights: [], contracts: [], packages: [] },
  controls: [],
  startedAt,
  variables: { 'ping.contractId': '"00ff"' },
}

const answered = (evidence: Evidence, status: number, body: object): Evidence => {
  const text = JSON.stringify(body)
  return { ...evidence, response: { status, headers: [], body: { text, bytes: text.length } } }
}

const readOf = (operation: string, body: object | undefined, answer: object): RecordedRead => {
  const text = JSON.stringify(body)
  const request = { method: 'POST', url: `http://127.0.0.1:1/${operation}?limit=150`, headers: [] }
  const sent = sampleEvidence({ request: body ? { ...request, body: { text, bytes: text.length } } : request })
  return { operation, evidence: answered(sent, 200, answer) }
}

interface Shown {
  id: string
  offset: number
  marker: string
  archives?: string
}

function readsOf(shown: readonly Shown[]): RecordedRead[] {
  const items = shown.map(({ id: updateId, offset, marker, archives }) => {
    const events = archives === undefined ? [] : [{ ExercisedEvent: { contractId: archives, consuming: true } }]
    return { update: { Transaction: { value: { updateId, offset, commandId: `command-${marker}`, party, events } } } }
  })
  const eventFormat = { filtersByParty: { [party]: {} } }
  const updateFormat = { includeTransactions: { eventFormat } }
  return [
    readOf('ledger-end', undefined, { offset: 100 }),
    readOf('updates', { beginExclusive: 0, endInclusive: 100, updateFormat }, items),
  ]
}

interface Sent {
  begin?: number
  marker?: string
  second?: number
  /** Of an accepted request. */
  updateId?: string
  fixtures?: string[]
}

function rowOf(id: string, { begin = 1, marker = 'mark-1', second = 1, updateId, fixtures = [] }: Sent): RunRow {
  const effects = (['accepted', 'refused'] as const).map((when) =>
    sampleExpectation(['GEN-NO-EFFECT'], {
      kind: 'effects',
      anyOf: [{ checks: [{ on: 'effects', when, untold: 0 }] }],
    }),
  )
  const step = sampleStep({ operation: 'execute-and-wait-for-transaction', expectations: effects })
  const text = JSON.stringify({ partySignatures: { signatures: [{ party }] } })
  const sent = sampleEvidence({ request: { method: 'POST', url: '', headers: [], body: { text, bytes: text.length } } })
  const evidence = updateId === undefined ? answered(sent, 400, {}) : answered(sent, 200, { transaction: { updateId } })
  const variables = { row: printJson(marker), begin: String(begin) }
  const more = { variables, evidence: [evidence], startedAt: at(second), milliseconds: 10 }
  return sampleRow(id, more, { fixtures, steps: [step] })
}

const judged = (rows: readonly RunRow[], shown: readonly Shown[]): OracleFinding[] =>
  judgeOracles(header, rows, readsOf(shown)).filter(({ kind }) => kind !== 'stated')

const committed = { id: 'u1', offset: 8, marker: 'mark-1' }

t.test('the row whose request was accepted explains a transaction that several rows sent', (t) => {
  const rows = [rowOf('A/1', { begin: 1 }), rowOf('A/2', { begin: 5, updateId: 'u1' })]
  t.strictSame(judged(rows, [committed]), [])
  t.match(judged(rows, [committed, { ...committed, id: 'u2', offset: 20 }]), [
    {
      kind: 'contradicted',
      reason: { code: 'unmet', unmet: { check: 'effects', found: ['200', 'u2'] } },
      rows: ['A/2'],
    },
  ])
  t.end()
})

t.test('if no request was accepted, all rows that may have caused the transaction are one finding', (t) => {
  const rows = [rowOf('A/1', { begin: 1 }), rowOf('A/2', { begin: 5 }), rowOf('A/3', { begin: 9 })]
  const findings = judged(rows, [committed])
  const reason = { code: 'rejected-but-committed', rows: ['A/1', 'A/2'], updates: ['u1'] }
  t.match(findings, [
    { kind: 'contradicted', reason, rows: [] },
    { kind: 'unproven', reason, rows: ['A/1', 'A/2'] },
  ])
  t.strictSame(
    withOracleFindings(rows, findings).map(({ verdict }) => verdict),
    ['blocked', 'blocked', 'pass'],
  )
  t.match(judged([rowOf('A/1', {}), rowOf('A/2', { begin: 9 })], [committed]), [
    {
      kind: 'contradicted',
      reason: { code: 'unmet', unmet: { check: 'effects', found: ['400', 'u1'] } },
      rows: ['A/1'],
    },
  ])
  t.end()
})

t.test('an answer with the transaction of another row fails its row', (t) => {
  const rows = [rowOf('A/1', { updateId: 'u1' }), rowOf('A/2', { marker: 'mark-2', updateId: 'u1' })]
  t.match(judged(rows, [committed]), [
    {
      kind: 'contradicted',
      reason: { code: 'answer-exchanged', operation: 'execute-and-wait-for-transaction', update: 'u1', row: 'A/1' },
      rows: ['A/2'],
    },
  ])
  t.end()
})

t.test('a consumed fixture explains blocked rows whose answers were unexpected', (t) => {
  const fixtures = ['ping']
  const blocked = { verdict: 'blocked' as const, reason: { code: 'request-failed' as const, message: 'another cause' } }
  const unmet = [sampleJudgement({ met: false })]
  const rows = [
    rowOf('A/consumer', { second: 5, updateId: 'u1', fixtures }),
    { ...rowOf('A/answered', { marker: 'mark-2', second: 9, fixtures }), ...blocked, judgements: unmet },
    { ...rowOf('A/ended', { marker: 'mark-3', second: 9, fixtures }), ...blocked, judgements: [] },
  ]
  const findings = judged(rows, [{ ...committed, archives: '00ff' }])
  const found = withOracleFindings(rows, findings)
  const [, answered] = found
  t.match(answered && causeOf(answered), /^A\/consumer consumed the contract/, 'no rule of the answer is the cause')
  t.match(found, [
    { verdict: 'pass' },
    { verdict: 'blocked', reason: { code: 'fixture-consumed', row: 'A/consumer' } },
    { verdict: 'blocked', reason: blocked.reason },
  ])
  t.end()
})

t.test('later rows of a consumed fixture are blocked, and the cause names the row that consumed it', (t) => {
  const fixtures = ['ping']
  const rows = [
    rowOf('A/before', { marker: 'mark-2', second: 1, fixtures }),
    rowOf('A/consumer', { second: 5, updateId: 'u1', fixtures }),
    { ...rowOf('A/later', { marker: 'mark-3', second: 9, fixtures }), verdict: 'fail' as const },
    rowOf('A/other', { marker: 'mark-4', second: 9 }),
  ]
  const findings = judged(rows, [{ ...committed, archives: '00ff' }])
  const reason = { code: 'fixture-consumed' as const, fixture: 'ping', row: 'A/consumer' }
  t.strictSame(findings, [{ kind: 'disturbed', oracle: 'updates', reason, rules: [], rows: ['A/later'] }])
  t.match(withOracleFindings(rows, findings), [
    { verdict: 'pass' },
    { verdict: 'pass' },
    { verdict: 'blocked', reason },
    { verdict: 'pass' },
  ])
  t.strictSame(judged(rows, [{ ...committed, archives: '00aa' }]), [], 'another contract')
  t.end()
})
