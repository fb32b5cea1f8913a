import t from 'tap'
import type { OraclesLine, RunFooter, RunHeader } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { countVerdicts } from '../../record/types/verdict.js'
import { lowerBoundText } from '../../reports/summary/lower-bound.js'
import { sampleHeader } from '../support/records/sample-record.js'
import { sampleEvidence, sampleRow, sampleStep } from '../support/records/sample-row.js'

const header = {
  ...sampleHeader({ concurrency: 4 }),
  target: { url: 'http://x', authorization: 'none', embedded: false },
}

const footer: RunFooter = {
  type: 'footer',
  endedAt: '2026-11-21T12:02:05.000Z',
  milliseconds: 5000,
  executed: 3,
  counts: countVerdicts([]),
  complete: true,
  conforming: true,
  digest: '',
}

/** A submission of 2 s and a race of two lookups, of which the longer one takes 1 s. */
function rowOf(id: string, more: Partial<ResolvedRow> = {}) {
  const row = sampleRow(id)
  const lookup = sampleStep({ name: 'look', operation: 'contract-by-id', role: 'probe-after' })
  const one = sampleEvidence({ milliseconds: 2000 })
  const other = { ...one, step: 1 }
  return {
    ...row,
    evidence: [one, { ...other, attempt: 1, milliseconds: 1000 }, { ...other, attempt: 2, milliseconds: 10 }],
    resolved: { ...row.resolved, alone: false, steps: [sampleStep(), lookup], ...more },
  }
}

const fiveRows = ['A/1', 'A/2', 'A/3', 'A/4', 'A/5'].map((id) => rowOf(id))

const textOf = (of: Partial<RunHeader>, rows = fiveRows, oracles?: OraclesLine): string | undefined =>
  lowerBoundText({ header: { ...header, ...of }, rows, footer, ...(oracles && { oracles }) })

t.test('the lower bound divides the waits by the concurrency, except those of rows that run alone', (t) => {
  t.equal(
    textOf({}),
    'The rows took 5.0 s. The answers of the target take at least 3.8 s: ' +
      '5 commits of 2.0 s and 5 other requests of 1.0 s, 4 rows at a time.',
  )
  t.match(textOf({}, [rowOf('A/1')]), 'at least 3.0 s: 1 commit of 2.0 s and 1 other request', 'no row is shorter')
  for (const isAlone of [{ alone: true }, { impact: 'hazard' }] as const)
    t.match(
      textOf({}, [rowOf('A/1'), rowOf('A/2', isAlone)]),
      'at least 6.0 s: 2 commits of 2.0 s and 2 other requests of 1.0 s, 4 rows at a time, and 2 of these one at a time.',
    )
  const presigned = {
    steps: [sampleStep({ presigned: true }), sampleStep({ name: 'look', operation: 'contract-by-id' })],
  }
  t.match(textOf({}, [rowOf('A/1'), rowOf('A/2', presigned)]), 'and 2 of these one at a time.', 'one step is presigned')
  const reads = ['submit-and-wait', 'updates'].map((operation) => ({
    operation,
    evidence: sampleEvidence({ milliseconds: 600 }),
  }))
  t.match(
    textOf({ timeLimits: { exchange: 30_000, lateCheck: 3000 } }, fiveRows, { type: 'oracles', reads, findings: [] }),
    'at least 8.0 s: 5 commits of 2.0 s and 5 other requests of 1.0 s, 4 rows at a time, 3.0 s for late effects, and 1.2 s for the repeated control and the last reads.',
    'the reads after the last row',
  )
  t.equal(textOf({ target: { ...header.target, embedded: true } }), undefined)
  t.equal(textOf({ resumes: ['earlier'] }), undefined, 'the rows of an earlier run took their own time')
  t.end()
})
