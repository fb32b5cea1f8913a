/** Differences between a record and the run that follows from its exchanges. */
import t from 'tap'
import { compareRun, named } from '../../certificate/verify/compare-run.js'
import type { Verdict } from '../../record/types/verdict.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { sampleEvidence, sampleRow } from '../support/records/sample-row.js'

t.test('only the run knows why it blocked a row, unless the evidence fails the row without an outage', async (t) => {
  const limited = { status: 429, headers: [], body: { text: '', bytes: 0 } }
  const kindsOf = async (
    recorded: Verdict,
    derived: Verdict,
    response = sampleEvidence().response,
  ): Promise<string[]> => {
    const evidence = [sampleEvidence(response && { response })]
    const record = await sampleRecord([sampleRow('A/1', { verdict: recorded, evidence })])
    const rows = record.rows.map((row) => ({ ...row, verdict: derived }))
    const run = { header: record.header, footer: {}, rows, requests: [], hidden: new Map() }
    return compareRun(record, run, true).map(({ kind }) => kind)
  }
  t.strictSame(await kindsOf('blocked', 'blocked'), [])
  t.strictSame(await kindsOf('blocked', 'pass'), ['unproven'])
  t.strictSame(await kindsOf('blocked', 'fail'), ['altered'])
  t.strictSame(await kindsOf('blocked', 'fail', limited), ['unproven'])
  t.strictSame(await kindsOf('error', 'fail', limited), ['altered'])
})

t.test('a redacted difference does not hide another one of the same row', (t) => {
  const redacted = { path: 'rows[A/1].reason.message', recorded: '[redacted]', derived: 'a' }
  const other = { path: 'rows[A/1].verdict', recorded: 'pass', derived: 'fail' }
  const kinds = (...differences: (typeof redacted)[]) => named(differences).map(({ kind }) => kind)
  t.strictSame(kinds(redacted), ['unproven'])
  t.strictSame(kinds(redacted, other), ['altered'])
  t.end()
})
