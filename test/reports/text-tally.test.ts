/** How many judged rows pass by the interface text alone. */
import t from 'tap'
import type { Verdict } from '../../record/types/verdict.js'
import { textTally } from '../../reports/summary/text-tally.js'
import { obligation } from '../../reports/wording/terms.js'

const profile = { name: 'canton-3.5' }
const row = (verdict: Verdict, verdictByText?: Verdict) => ({ verdict, ...(verdictByText && { verdictByText }) })

t.test('counts rows by their verdict by the text', async (t) => {
  const rows = [
    row('pass'),
    row('pass', 'fail'),
    row('fail', 'pass'),
    row('fail', 'fail'),
    row('follows-the-text', 'pass'),
  ]
  t.equal(textTally(rows, { profile }), '3 of 5 judged rows pass by the text alone')
  const open = [row('fail'), row('blocked'), row('not-applicable'), row('fail', 'not-applicable'), row('pass')]
  t.equal(
    textTally(open, { profile }),
    '1 of 1 judged row passes by the text alone',
    'rows that the text does not judge',
  )
  t.equal(textTally([row('blocked')], { profile }), undefined)
  t.equal(textTally(rows, { profile: { name: 'interface' } }), undefined, 'the text is the profile')
})

t.test('only a sentence of the text is mandatory', async (t) => {
  t.equal(obligation({ strength: 'must', confidence: 'text' }), 'mandatory')
  const observed = obligation({ strength: 'must', confidence: 'observed' })
  t.equal(observed, 'expectation of the profile, observed on a live participant')
})
