/** Reads of a row that no rule is about. */
import t from 'tap'
import type { Verdict } from '../../../record/types/verdict.js'
import { verdictOf } from '../../support/records/judged-row.js'
import { answered, type NamedEvidence, unanswered } from '../../support/records/small-evidence.js'
import { accepted, requestOf, stepOf, suiteOf } from '../../support/suites/small-suite.js'

t.test('a read without a rule of its own blocks the row if it shows nothing', async (t) => {
  const requests = new Map([
    ['ask', requestOf('ask', 'contract-by-id')],
    ['read', requestOf('read', 'update-by-id')],
  ])
  const steps = [
    stepOf({ name: 'first', schema: false }),
    stepOf({ name: 'read', request: 'read', schema: false, ...accepted }),
  ]
  const read = (evidence: NamedEvidence): Verdict =>
    verdictOf(steps, [answered({}, { step: 'first' }), { ...evidence, step: 'read' }], { suite: suiteOf({ requests }) })
  t.equal(read(answered({})), 'pass')
  t.equal(read(answered({}, { status: 404 })), 'fail')
  for (const nothing of [answered({}, { status: 500 }), unanswered('timeout'), unanswered('reset')])
    t.equal(read(nothing), 'blocked')
})
