/** Bounds of reports, conclusions of interrupted runs, and commands that repeat a row. */
import t from 'tap'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { failedRunReports } from '../../reports/formats/failed-run.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { tapReport } from '../../reports/formats/tap.js'
import { conclude } from '../../reports/summary/conclusion.js'
import { exampleOf } from '../../reports/views/sent-and-received.js'
import { poisoned } from '../support/records/poisoned-record.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { sampleEvidence, sampleRow } from '../support/records/sample-row.js'

const long = 'v'.repeat(1024 * 1024)

t.test('reports keep their bounds with long values from a target', async (t) => {
  const record = await sampleRecord()
  const { header } = record
  const hostile = {
    ...record,
    header: { ...header, only: long, seed: long, target: { ...header.target, version: long, url: `http://${long}` } },
  }
  t.ok(markdownReport(hostile).length < 65_536)
  const [plain, forged] = [
    ctrfReport(record),
    ctrfReport({ ...hostile, header: { ...hostile.header, only: '', seed: '' } }),
  ]
  t.ok(forged.length < plain.length + 200_000 + record.rows.length * 22_000, `${forged.length} and ${plain.length}`)
})

t.test('the example of a failure has the first lines of a body, and the number of the others', (t) => {
  const shown = (values: number): string => {
    const text = JSON.stringify(Array.from({ length: values }, (_, index) => index))
    const response = { status: 200, headers: [], body: { text, bytes: text.length } }
    return exampleOf(sampleRow('A/1', { evidence: [sampleEvidence({ response })] })).text
  }
  t.match(shown(10), / {2}6,\n\.\.\. 4 more lines<\/pre>/)
  t.match(shown(6), / {2}5\n\]\n<\/pre>/)
  t.end()
})

t.test('a text of many lines has a report in TAP', async (t) => {
  const lines = 'a line\n'.repeat(200_000)
  const record = poisoned(await sampleRecord(), (text) => (text.endsWith('.') ? `${text}${lines}` : text))
  t.match(tapReport(record), /^TAP version 14\n/)
})

t.test('a run that ended early is incomplete, and blocked rows are no failures of the target', async (t) => {
  const record = await sampleRecord()
  const { footer } = record
  if (!footer) throw new Error('the sample has no footer')
  const rows = record.rows.filter(({ verdict }) => verdict === 'pass' || verdict === 'blocked')
  const gone = { cause: 'target-gone' as const, from: '2026-11-21T22:06:23.000Z' }
  const ended = { ...record, rows, footer: { ...footer, ended: gone } }
  const sentence = (rows: number): string =>
    `The target stopped answering at 22:06:23 (UTC) and did not answer again. ${rows} of 12 planned rows are complete.`
  t.match(conclude(ended), { outcome: 'incomplete', problems: [sentence(4)] })
  t.match(conclude(ended).inWords, /^INCOMPLETE: 3 of 12 rows passed, 0 failed, 1 blocked, 8 without a result; /)
  const failing = { ...ended, rows: record.rows }
  t.match(conclude(failing), { outcome: 'not conforming', problems: [sentence(12)] })
  const left = 'Rows changed the vetting, and the restore failed: x is not vetted, but was vetted before.'
  t.match(conclude({ ...record, footer: { ...footer, left: [left] } }).problems, [left])
})

t.test('rows with the same cause of blocking are one group', async (t) => {
  const record = await sampleRecord()
  const [row] = record.rows
  if (!row) throw new Error('the sample has no rows')
  const blocked = Array.from({ length: 50 }, (_, index) => ({
    ...row,
    verdict: 'blocked' as const,
    reason: { code: 'outage' as const, from: '2026-11-21T22:06:23.000Z' },
    judgements: [],
    id: `A/${index}`,
    resolved: { ...row.resolved, id: `A/${index}` },
  }))
  const text = consoleFailures({ ...record, rows: blocked }, { color: false })
  t.match(text, /^✗ 50 rows {2}the target stopped answering at 22:06:23 \(UTC\) {2}blocked\n\n {2}■ blocked {2}A\/0\n/)
  t.ok(text.split('\n').length < 40)
})

t.test('the reports of a run without a record contain no active text from a target', async (t) => {
  const hostile = 'http://x\u001b[2J answered </testcase><script>alert(1)</script> "quoted"'
  const texts = failedRunReports('conform 1', hostile.padEnd(1024 * 1024, 'x'), new Date(0))
  for (const [file, text] of texts) {
    t.notOk(text.includes('\u001b') || text.includes('<script>'), file)
    t.ok(text.length < 65_536, file)
  }
})
