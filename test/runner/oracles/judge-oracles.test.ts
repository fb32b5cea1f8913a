/** The reads of a run beside its requests, after alterations of either. */
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { withOracleFindings } from '../../../record/judgements/oracle-findings.js'
import type { Evidence, OracleFinding, RecordedRead, RunRow } from '../../../record/types/record.js'
import { judgeOracles } from '../../../runner/oracles/judge-oracles.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { callRun } from '../../support/processes/called-command.js'

const folder = t.testdir()
const only = ['SAW-COMMANDS/*', 'SAW-COMPLETION/*', 'CBI-WITNESSES/*']
const simulator = await startSimulator()
const out = join(folder, 'results')
const ran = await callRun(t, { only, target: simulator.url, lateCheck: '0', out })
await simulator.close()
const { header, rows, oracles } = await readRun(out)
const reads = oracles?.reads ?? []

const judge = (altered: readonly RecordedRead[], of: readonly RunRow[] = rows): OracleFinding[] =>
  judgeOracles(header, of, altered)

const withAnswer = (evidence: Evidence, status: number, text: string): Evidence => ({
  ...evidence,
  response: { status, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
})

/** Changes the JSON answers of an operation. */
const altering = (name: string, change: (answer: JsonValue) => JsonValue): RecordedRead[] =>
  reads.map(({ operation, evidence }) => ({
    operation,
    evidence:
      operation === name
        ? withAnswer(evidence, 200, printJson(change(parseJson(evidence.response?.body.text ?? ''))))
        : evidence,
  }))

const failing = (name: string): RecordedRead[] =>
  reads.map((one) => (one.operation === name ? { ...one, evidence: withAnswer(one.evidence, 503, '{}') } : one))

const items = (answer: JsonValue): JsonValue[] => (Array.isArray(answer) ? answer : [])
const without = (text: string): RecordedRead[] =>
  altering('updates', (answer) => items(answer).filter((item) => !printJson(item).includes(text)))

const rowOf = (id: string): RunRow => rows.find((row) => row.id === id) ?? rows[0] ?? Object()
const markerOf = (id: string): string => String(parseJson(rowOf(id).variables?.['row'] ?? '""'))
const relying = rows.filter(({ resolved }) => resolved.operation === 'submit-and-wait')

t.test('the reads of a conforming participant give no finding', async (t) => {
  t.equal(ran.code, 0, ran.stdout)
  t.strictSame(judge(reads), [])
  t.strictSame(
    [...new Set(reads.map(({ operation }) => operation))],
    ['submit-and-wait', 'ledger-end', 'updates', 'active-contracts', 'completions'],
  )
})

t.test('updates that hide the controls are unproven, with one cause for all rows that rely on them', async (t) => {
  for (const hidden of ['"updateId"', 'accepted-submission-last']) {
    const [first, ...others] = judge(without(hidden)).filter(({ oracle }) => oracle === 'updates')
    t.match(first, {
      kind: 'unproven',
      reason: { code: 'update-missing', operation: 'submit-and-wait', update: /^1220/ },
    })
    t.strictSame(first?.rows.toSorted(), relying.map(({ id }) => id).toSorted())
    t.strictSame(others, [])
  }
})

t.test('updates without a transaction are correct only if the run had no accepted request', async (t) => {
  const isShown = ({ operation }: RecordedRead): boolean => operation !== 'submit-and-wait'
  const blank = reads.filter(isShown).map((one) => ({ ...one, evidence: withItems(one.evidence, '[]') }))
  const judgeAlone = (row: RunRow): OracleFinding[] => judgeOracles({ ...header, controls: [] }, [row], blank)
  t.strictSame(judgeAlone(rowOf('SAW-COMMANDS/empty')), [])
  const accepted = rowOf('SAW-COMPLETION/result')
  const evidence = accepted.evidence.map((one) =>
    one.response?.body.text?.startsWith('{"updateId"') ? withAnswer(one, 200, '{}') : one,
  )
  t.match(judgeAlone({ ...accepted, evidence })[0], {
    kind: 'unproven',
    reason: { code: 'updates-empty' },
    rows: [accepted.id],
  })
  // A marker of a presigned transaction does not name the run.
  const marker = markerOf(accepted.id)
  const presigned = altering('updates', (answer) =>
    items(answer)
      .filter((item) => printJson(item).includes(marker))
      .map((item) => parseJson(printJson(item).replaceAll(marker, 'presigned'))),
  ).filter(isShown)
  const row = { ...accepted, evidence, variables: { ...accepted.variables, row: '"presigned"' } }
  const codes = judgeOracles({ ...header, controls: [] }, [row], presigned).map(({ reason }) => reason.code)
  t.notOk(codes.includes('updates-empty'))
})

t.test('rows that did not read the updates do not rely on them', async (t) => {
  const unread = rows.map((row) => {
    const isReading = ({ role, step }: Evidence): boolean =>
      role === 'late-check' || ['updates', 'ledger-end'].includes(row.resolved.steps[step]?.operation ?? '')
    return { ...row, evidence: row.evidence.filter((one) => !isReading(one)) }
  })
  t.match(judge(failing('updates'), unread), [{ kind: 'unproven', rows: [] }])
})

const withItems = (evidence: Evidence, text: string): Evidence =>
  evidence.response?.body.text?.startsWith('[') ? withAnswer(evidence, 200, text) : evidence

t.test('failed reads and missing pages are unproven', async (t) => {
  t.match(judge(failing('updates')), [
    { kind: 'unproven', reason: { code: 'last-read-failed', path: '/v2/updates', status: 503 } },
  ])
  t.match(judge(failing('ledger-end')), [
    { reason: { code: 'last-read-failed', path: '/v2/state/ledger-end', status: 503 } },
  ])
  t.match(judge(failing('submit-and-wait')), [
    { reason: { code: 'last-commit-failed', path: /submit-and-wait$/, status: 503 } },
  ])
  t.match(judge(reads.filter(({ operation }) => operation !== 'updates')), [{ reason: { code: 'ledger-unread' } }])
  const reversed = altering('updates', (answer) => items(answer).toReversed())
  t.match(judge(reversed), [{ reason: { code: 'update-pages-missing' } }])
})

t.test('a cut page of updates makes the read incomplete, and hides no transaction', async (t) => {
  const cut = (change: (evidence: Evidence) => Evidence): RecordedRead[] =>
    reads.map((one) => (one.operation === 'updates' ? { ...one, evidence: change(one.evidence) } : one))
  const first = (evidence: Evidence): string => evidence.response?.body.text?.slice(0, 40) ?? ''
  const message = 'its body is no complete JSON array'
  const reason = { code: 'last-read-failed', method: 'POST', path: '/v2/updates', message }
  const expected = relying.map(({ id }) => id).toSorted()
  for (const altered of [
    cut((one) => withAnswer(one, 200, first(one))),
    cut((one) => ({
      ...one,
      response: { status: 200, headers: [], body: { text: first(one), bytes: 400, cut: true } },
    })),
  ]) {
    const found = judge(altered)
    t.strictSame(
      found.map((one) => [one.kind, one.reason, one.rows.toSorted()]),
      [['unproven', reason, expected]],
    )
  }
})

t.test('an offset that no request can contain is the cause of an incomplete read', async (t) => {
  const withReply = (name: string, text: string): RecordedRead[] =>
    reads.map((one) => (one.operation === name ? { ...one, evidence: withAnswer(one.evidence, 200, text) } : one))
  const ends = [
    ['{"offset":1.0}', '1.0'],
    ['{"offset":"12"}', '"12"'],
    ['{"offset":9007199254740993}', '9007199254740993'],
    ['{}', undefined],
  ] as const
  for (const [text, offset] of ends)
    t.match(judge(withReply('ledger-end', text)), [
      { kind: 'unproven', reason: { code: 'offset-unusable', operation: 'ledger-end', offset } },
    ])
  const before = JSON.stringify(reads.find(({ operation }) => operation === 'updates')?.evidence.response?.body.text)
  const unreadable = String(JSON.parse(before)).replaceAll(/"offset":(\d+)/g, '"offset":$1e-1')
  t.match(judge(withReply('updates', unreadable)), [{ reason: { code: 'offset-unusable', operation: 'updates' } }])
})

/** The last reads, with a transaction that no request explains. */
function withUnexplained(): RecordedRead[] {
  const renamed = altering('updates', (answer) => {
    const [first] = items(answer)
    const unmarked = printJson(first ?? null).replaceAll(`${header.run}-`, 'lunch-')
    const extra = unmarked.replace(/"updateId":"\w+"/, '"updateId":"1220ee"').replace(/"offset":\d+/g, '"offset":99999')
    return [...items(answer), parseJson(extra)]
  })
  const grown = renamed.map((one) =>
    one.operation === 'ledger-end' ? { ...one, evidence: withAnswer(one.evidence, 200, '{"offset":99999}') } : one,
  )
  return grown.map(({ operation, evidence }) => ({ operation, evidence: withEnd(evidence, 99_999) }))
}

t.test('a transaction that no request explains contradicts the participant', async (t) => {
  t.match(
    judge(withUnexplained()).find(({ kind }) => kind === 'contradicted'),
    {
      reason: { code: 'updates-unexplained', update: '1220ee', offset: 99999 },
      rows: [],
    },
  )
})

t.test('it fails the row that alone ran at the time, and blocks several rows', async (t) => {
  const ranAtTheTime = (ids: readonly string[]): RunRow[] =>
    rows.map((row) =>
      ids.includes(row.id) ? { ...row, variables: { ...row.variables, begin: '99990', end: '99999' } } : row,
    )
  const [one = '', other = ''] = rows.map(({ id }) => id)
  const about = (ids: readonly string[]): unknown[] =>
    judge(withUnexplained(), ranAtTheTime(ids))
      .filter(({ reason, rows: found }) => reason.code.endsWith('-unexplained') && found.length > 0)
      .map(({ kind, reason, rows: found }) => [kind, reason.code, found.toSorted()])
  t.strictSame(about([one]), [['contradicted', 'update-unexplained', [one]]])
  t.strictSame(about([one, other]), [['unproven', 'updates-unexplained', [one, other].toSorted()]])
})

const withEnd = (evidence: Evidence, end: number): Evidence => {
  const { body } = evidence.request
  const text = body?.text?.replace(/"endInclusive":\d+/, `"endInclusive":${end}`)
  return text === undefined
    ? evidence
    : { ...evidence, request: { ...evidence.request, body: { text, bytes: text.length } } }
}

t.test('an accepted transaction that the ledger lacks fails its row and blocks the others', async (t) => {
  const found = judge(without(markerOf('SAW-COMPLETION/result'))).filter(({ oracle }) => oracle === 'updates')
  t.match(found, [
    {
      kind: 'contradicted',
      reason: { code: 'update-missing', operation: 'submit-and-wait' },
      rows: ['SAW-COMPLETION/result'],
    },
    { kind: 'unproven', rows: relying.map(({ id }) => id).toSorted() },
  ])
})

t.test('a late transaction of a rejected row fails this row', async (t) => {
  const [accepted, rejected] = [markerOf('SAW-COMPLETION/result'), markerOf('SAW-COMMANDS/empty')]
  const late = altering('updates', (answer) =>
    items(answer).map((item) => {
      const text = printJson(item)
      return text.includes(accepted) ? parseJson(text.replaceAll(accepted, rejected)) : item
    }),
  )
  t.match(
    judge(late).find(({ rows: ids }) => ids[0] === 'SAW-COMMANDS/empty' && ids.length === 1),
    {
      kind: 'contradicted',
      reason: { code: 'unmet', unmet: { check: 'effects', found: ['400', /^1220/] } },
      rules: ['GEN-NO-EFFECT', 'SAW-PURPOSE'],
    },
  )
})

t.test('active contracts that differ from the updates are unproven; unread ones are stated', async (t) => {
  const ghost = altering('active-contracts', (answer) => {
    const [first] = items(answer)
    const copy = parseJson(printJson(first ?? null).replace(/"contractId":"\w+"/, '"contractId":"00ee"'))
    return isJsonObject(copy) ? [...items(answer), copy] : answer
  })
  t.match(judge(ghost), [
    { kind: 'unproven', oracle: 'active-contracts', reason: { code: 'contract-unexplained', contract: '00ee' } },
  ])
  t.match(judge(altering('active-contracts', () => [])), [
    { kind: 'unproven', reason: { code: 'contract-missing', contract: /^00/ } },
  ])
  t.match(judge(failing('active-contracts')), [{ kind: 'stated', rows: [] }])
  const unfinished = altering('active-contracts', (answer) =>
    Array.from({ length: 150 }, () => items(answer)[0] ?? null),
  )
  t.match(judge(unfinished), [{ kind: 'stated', reason: { code: 'contracts-unread' } }], 'the last page is full')
})

t.test('rows of an earlier run are not reconciled', async (t) => {
  const earlier = rows.map((row) => ({ ...row, startedAt: '2020-01-01T00:00:00.000Z' }))
  t.strictSame(
    judge(without(markerOf('SAW-COMPLETION/result')), earlier).filter(({ rows: ids }) => ids.length > 0),
    [],
  )
})

const isList = ({ resolved }: RunRow, { step }: Evidence): boolean => resolved.steps[step]?.operation === 'completions'
const readers = rows.filter(({ resolved }) => resolved.steps.some(({ operation }) => operation === 'completions'))
const aboutCompletions = (found: readonly OracleFinding[]): OracleFinding[] =>
  found.filter(({ oracle, kind }) => oracle === 'completions' && kind === 'unproven')

t.test('completions that are always empty block each row that may read them', async (t) => {
  const [rejected, unread] = readers
  t.ok(readers.length > 2)
  const emptied = rows.map((row) => ({
    ...row,
    evidence: row.evidence.flatMap((one) => {
      if (isList(row, one)) return row === unread ? [] : [withAnswer(one, 200, '[]')]
      return [row === rejected ? withAnswer(one, 400, '{}') : one]
    }),
  }))
  t.strictSame(
    aboutCompletions(judge(reads, emptied)).map((one) => [one.reason.code, one.rows.toSorted()]),
    [['completions-empty', readers.map(({ id }) => id).toSorted()]],
  )
})

/** Rows that failed by another list of completions only. */
const withLists = (change: (list: string, row: RunRow) => string): RunRow[] =>
  rows.map((row) =>
    readers.includes(row)
      ? {
          ...row,
          verdict: 'fail',
          judgements: row.judgements.map((one) => ({
            ...one,
            met: one.subject !== 'body' || row.resolved.steps[one.step]?.operation !== 'completions',
          })),
          evidence: row.evidence.map((one) =>
            isList(row, one) ? withAnswer(one, 200, change(one.response?.body.text ?? '', row)) : one,
          ),
        }
      : row,
  )

/** Lists of rows that ran at the same time show the completions of each other. */
const renamed = (list: string): string =>
  readers.reduce((text, { id }) => text.replaceAll(markerOf(id), 'another'), list)

t.test('a list that shows a wrong completion supports the failure, and a list that hides one does not', async (t) => {
  const [hiding] = readers
  const wrong = withLists(renamed)
  t.strictSame(aboutCompletions(judge(reads, wrong)), [], 'the ids of the transactions identify the completions')
  const mixed = withLists((list, row) => (row === hiding ? '[]' : renamed(list)))
  const findings = aboutCompletions(judge(reads, mixed))
  t.match(findings, [{ reason: { code: 'completion-missing', row: hiding?.id } }])
  const verdicts = new Map(withOracleFindings(mixed, findings).map(({ id, verdict }) => [id, verdict]))
  t.strictSame(
    readers.map(({ id }) => verdicts.get(id)),
    readers.map((row) => (row === hiding ? 'blocked' : 'fail')),
  )
})

t.test('a list with fewer completions than transactions of the row shows no fault', async (t) => {
  const [row] = readers
  const copied = altering('updates', (answer) => {
    const own = items(answer).find((item) => row && printJson(item).includes(markerOf(row.id)))
    const text = printJson(own ?? null).replace(/"updateId":"\w+"/, '"updateId":"1220ee"')
    return [...items(answer), parseJson(text.replace(/"offset":\d+/g, '"offset":99999'))]
  })
  const grown = copied.map(({ operation, evidence }) => ({
    operation,
    evidence: withEnd(operation === 'ledger-end' ? withAnswer(evidence, 200, '{"offset":99999}') : evidence, 99_999),
  }))
  t.match(aboutCompletions(judge(grown, withLists(renamed))), [
    { reason: { code: 'completion-missing', row: row?.id } },
  ])
})
