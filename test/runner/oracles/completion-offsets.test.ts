/** The completionOffset of answers beside the completions of their transactions. */
import t from 'tap'
import type { Evidence, OracleFinding, RecordedRead, RunRow } from '../../../record/types/record.js'
import { completionReaders } from '../../../runner/oracles/completion-offsets.js'
import { judgeOracles } from '../../../runner/oracles/judge-oracles.js'
import { sampleEvidence, sampleExpectation, sampleRow, sampleStep } from '../../support/records/sample-row.js'

const party = 'alice::1220'
const header = {
  run: 'run1',
  made: { parties: [party], users: [], rights: [], contracts: [], packages: [] },
  controls: [],
  startedAt: '2026-01-01T00:00:00.000Z',
}

const exchange = (sent: object, answer: object, step = 0): Evidence => {
  const [text, answered] = [JSON.stringify(sent), JSON.stringify(answer)]
  return sampleEvidence({
    step,
    request: { method: 'POST', url: 'http://127.0.0.1:1/?limit=150', headers: [], body: { text, bytes: text.length } },
    response: { status: 200, headers: [], body: { text: answered, bytes: answered.length } },
  })
}

const submitted = (offset: number | string): Evidence =>
  exchange({ commandId: 'command-mark-1', actAs: [party] }, { updateId: 'u1', completionOffset: offset })

function rowOf(evidence: Evidence, role: 'act' | 'arrange' = 'act'): RunRow {
  const effects = (when: 'accepted' | 'refused', rule: string) =>
    sampleExpectation([rule], { kind: 'effects', anyOf: [{ checks: [{ on: 'effects', when, untold: 0 }] }] })
  const expectations = [effects('refused', 'GEN-NO-EFFECT'), effects('accepted', 'SAW-PURPOSE')]
  const steps = [sampleStep({ operation: 'submit-and-wait', role, expectations })]
  const more = { variables: { row: '"mark-1"' }, evidence: [evidence], startedAt: '2026-01-01T00:00:01.000Z' }
  return sampleRow('A/1', more, { steps })
}

interface Completed {
  commandId?: string
  updateId?: string
  offset: number | string
}

const completionsOf = (several: readonly Completed[]): RecordedRead => ({
  operation: 'completions',
  evidence: exchange(
    {},
    several.map((one) => ({
      completionResponse: { Completion: { value: { commandId: 'command-mark-1', updateId: 'u1', ...one } } },
    })),
  ),
})

function judged(rows: readonly RunRow[], completions: readonly Completed[]): OracleFinding[] {
  const value = { updateId: 'u1', offset: 8, commandId: 'command-mark-1', party, events: [] }
  const updateFormat = { includeTransactions: { eventFormat: { filtersByParty: { [party]: {} } } } }
  const reads: RecordedRead[] = [
    { operation: 'ledger-end', evidence: exchange({}, { offset: 100 }) },
    {
      operation: 'updates',
      evidence: exchange({ beginExclusive: 0, endInclusive: 100, updateFormat }, [
        { update: { Transaction: { value } } },
      ]),
    },
    completionsOf(completions),
  ]
  return judgeOracles(header, rows, reads).filter(({ kind }) => kind !== 'stated')
}

t.test('an offset that the completion of the transaction does not have fails the row of the request', (t) => {
  for (const offset of [8, 10])
    t.strictSame(judged([rowOf(submitted(offset))], [{ offset: 9 }]), [
      {
        kind: 'contradicted',
        oracle: 'completions',
        reason: {
          code: 'completion-offset-wrong',
          operation: 'submit-and-wait',
          update: 'u1',
          offset,
          completed: 9,
        },
        rules: ['SAW-PURPOSE'],
        rows: ['A/1'],
      },
    ])
  t.end()
})

t.test('a request before the request under test decides about no row', (t) => {
  t.match(judged([rowOf(submitted(8), 'arrange')], [{ offset: 9 }]), [{ kind: 'contradicted', rules: [], rows: [] }])
  t.end()
})

t.test('completions without the offset of the answer contradict nothing else', (t) => {
  const row = rowOf(submitted(9))
  t.strictSame(judged([row], [{ offset: 9 }]), [])
  t.strictSame(judged([row], []), [], 'no completion')
  t.strictSame(judged([row], [{ offset: 7, commandId: 'other' }]), [], 'another command')
  t.strictSame(judged([row], [{ offset: 7, updateId: 'u2' }]), [], 'another transaction')
  t.strictSame(judged([row], [{ offset: 7 }, { offset: 9 }]), [], 'one of several completions')
  t.strictSame(judged([row], [{ offset: 'x' }]), [], 'an offset that is no number')
  t.strictSame(judged([rowOf(submitted('x'))], [{ offset: 9 }]), [], 'an answer without an offset')
  t.end()
})

t.test('only the completions of parties whose answers stated an offset are read', (t) => {
  const call = async () => []
  const readers = [
    { user: 'operator', call, parties: [party, 'bob'] },
    { user: 'signer', call, parties: ['eve'] },
  ]
  t.strictSame(
    completionReaders(readers, [rowOf(submitted(9))]).map(({ user }) => user),
    ['operator'],
  )
  t.strictSame(completionReaders(readers, []), [])
  t.end()
})
