/** The data of the HTML page: searches, JSON, causes, histograms and bodies. */
import t from 'tap'
import { sha256 } from '../../interface/crypto-hash.js'
import type { Reason } from '../../record/types/reason.js'
import type { RunRow } from '../../record/types/record.js'
import { pageDetails, pageRows } from '../../reports/formats/page-data.js'
import { rowFilter } from '../../reports/page/state/row-filter.js'
import { causeOf, faultKeys } from '../../reports/summary/cause.js'
import { failureCauses } from '../../reports/summary/failure-causes.js'
import { jsonLines, linesAt } from '../../reports/wording/json-lines.js'
import fc from '../support/records/properties.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import { said, sampleEvidence, sampleJudgement, sampleRow } from '../support/records/sample-row.js'

const rows = [...pageRows(await sampleRecord())]
const found = (search: string): string[] => rows.filter(rowFilter(search).matches).map(({ id }) => id)

const searches: [search: string, rows: string[]][] = [
  ['verdict:warning', ['SAW-ERROR-BODY/field']],
  ['verdict:blocked,error', ['VET-DRY-RUN/lost', 'VET-DRY-RUN/set-up']],
  ['-verdict:pass operation:contract-by-id', ['CBI-VISIBLE/hostile', 'CBI-VISIBLE/two-synchronizers']],
  ['operation:*vetting', ['VET-DRY-RUN/lost', 'VET-DRY-RUN/set-up']],
  ['rule:VET-*', ['VET-DRY-RUN/lost', 'VET-DRY-RUN/set-up']],
  ['rule:gen-9', ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank']],
  ['status:5xx', ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank']],
  ['status:500 too-long', ['SAW-COMMAND-ID/too-long']],
  ['status:reset', ['VET-DRY-RUN/lost']],
  ['situation:bad-ledger-string id:blank', ['SAW-COMMAND-ID/blank']],
  ['says:gen-7=warning -confidence:observed', ['SAW-ERROR-BODY/field']],
  ['says:GEN-9=fail', ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank']],
  ['says:GEN-9', []],
  ['impact:topology strength:must', []],
  ['"waiver w-9"', ['SAW-WAIVED/fixed']],
  ['waiver expects', ['SAW-WAIVED/fixed']],
  ['waiver -expects', ['SAW-WAIVED/known']],
  ['answered*403', ['VET-DRY-RUN/set-up']],
  ['INVALID_FIELD blank', ['SAW-COMMAND-ID/blank']],
  ['file:visibility.yaml verdict:pass case:CBI-VISIBLE', ['CBI-VISIBLE/binary', 'CBI-VISIBLE/long']],
  ['http://hostile', ['CBI-VISIBLE/hostile']],
  ['verdict:unexpected', []],
  ['[.*+?^$', []],
]

t.test('a search has fields, lists, wildcards, negation and phrases', async (t) => {
  for (const [search, rows] of searches) t.same(found(search), rows, search)
  for (const nothing of ['', '  ', 'verdict:', '-rule:', 'verdict:,', '""', '-']) {
    t.equal(found(nothing).length, 12, `"${nothing}" matches every row`)
  }
  t.match(rowFilter('verdict:fial,pass -verdict:*').mistakes, [/^Unknown verdict: fial\. Use one of fail,/])
  t.match(rowFilter('verdct:fail rulle:X http://a ::b "a:b"').mistakes, [
    /^Unknown field: verdct.*"verdict"/,
    /^Unknown field: rulle/,
  ])
  t.same(rowFilter('http://a a::b "a:b" a:').mistakes, [])
})

t.test('no search text breaks the search', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (search) => rows.filter(rowFilter(search).matches).length <= 12),
  )
  t.pass('no search throws')
})

/** Invalid JSON stays as it is. */
const laidOut = (text: string): string =>
  jsonLines(text)
    ?.map((line) => line.text)
    .join('\n') ?? text

t.test('indented JSON has the same tokens', async (t) => {
  t.equal(
    laidOut('{"a":[1,{}],"big":9007199254740993,"a":1.50}'),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "big": 9007199254740993,\n  "a": 1.50\n}',
  )
  fc.assert(
    fc.property(fc.json(), (text) => JSON.stringify(JSON.parse(laidOut(text))) === JSON.stringify(JSON.parse(text))),
  )
  t.equal(laidOut('{"half":'), '{"half":', 'invalid JSON remains as it is')
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  t.ok(laidOut(deep).length < 1_000_000, 'deep nesting has a bounded indent')
})

t.test('a JSON pointer finds its lines, or those of the value around an absent one', async (t) => {
  const lines = jsonLines('{"a/b":{"~":[1,{"x":2}]},"empty":{},"a/b2":3}') ?? []
  const at = (pointer: string) => {
    const { marked, missing } = linesAt(lines, pointer)
    return [[...marked].map((index) => lines[index]?.text.trim()).join(' '), missing]
  }
  t.same(at('/a~1b/~0/1/x'), ['"x": 2', false])
  t.same(at('/a~1b/~0/0'), ['1,', false])
  t.same(at('/a~1b/~0/1'), ['{ "x": 2 }', false])
  t.same(at('/a~1b2'), ['"a/b2": 3', false])
  t.same(at('/empty/nothing'), ['"empty": {},', true])
  t.equal(at('/nowhere')[1], true)
  t.equal(linesAt(lines, '').marked.size, lines.length)
})

t.test('failures are grouped by cause', async (t) => {
  const failed = (id: string, status: string, rules = ['SAW-4']) =>
    sampleRow(id, {
      verdict: 'fail',
      judgements: [sampleJudgement({ rules, wanted: ['400'], found: [status], met: false })],
    })
  const rows = [
    failed('A/1', '500'),
    failed('A/2', '200'),
    failed('A/3', '500'),
    failed('A/4', '500', ['X-1']),
    sampleRow('A/5', { verdict: 'blocked', reason: said('no credential') }),
    sampleRow('A/6'),
  ]
  const causes = failureCauses(rows, sampleHeader({ rules: [] }))
  t.same(
    causes.map(({ title, rows: some }) => [title, some.map(({ id }) => id)]),
    [
      ['server error 500', ['A/1', 'A/3', 'A/4']],
      ['status: expected 4xx, found 200', ['A/2']],
      ['no credential', ['A/5']],
    ],
  )
})

t.test('values that differ in every run are no difference', async (t) => {
  const failing = (reason: Reason): RunRow => sampleRow('A/1', { verdict: 'blocked', judgements: [], reason })
  const gone = (from: string): RunRow => failing({ code: 'outage', from })
  const rejected = (operation: string, answer: string): RunRow =>
    failing({
      code: 'fixture-failed',
      fixture: 'ping',
      because: { code: 'request-rejected', operation, status: 404, answer },
    })
  t.equal(faultKeys(gone('2026-11-21T15:18:27.910Z')), faultKeys(gone('2026-11-22T03:00:00.000Z')))
  t.equal(faultKeys(rejected('updates', 'a')), faultKeys(rejected('updates', 'b')))
  t.not(faultKeys(rejected('updates', 'a')), faultKeys(rejected('completions', 'a')))
  t.ok(causeOf(failing(said('x'.repeat(5000)))).length < 500)
})

const digestOf = (data: string | Buffer): string => sha256(data).toString('hex')

t.test('the page cuts a long body and marks it; base64 remains valid', async (t) => {
  const response = (body: object) =>
    sampleEvidence({ response: { status: 200, headers: [], body: { bytes: 9, ...body } } })
  const row = sampleRow('A/1', {
    evidence: [
      response({ text: `${'x'.repeat(9)}\u{1f600}` }),
      response({ base64: 'AAAABBBBCCCC' }),
      response({ text: 'short' }),
    ],
  })
  const details = [...pageDetails(await sampleRecord([row]), 10)]
  t.same(
    details[0]?.evidence.map((exchange) => exchange.response?.body),
    [
      { text: 'x'.repeat(9), bytes: 9, cut: true, sha256: digestOf(`${'x'.repeat(9)}\u{1f600}`) },
      { base64: 'AAAABBBB', bytes: 9, cut: true, sha256: digestOf(Buffer.from('AAAABBBBCCCC', 'base64')) },
      { text: 'short', bytes: 9 },
    ],
  )
})
