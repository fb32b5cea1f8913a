/** The values of the suite that explorations send. */
import t from 'tap'
import { valuesOf } from '../../explore/generate/suite-values.js'
import { resolvedSuite } from '../support/suites/whole-suite.js'

const suite = resolvedSuite('canton-3.5', 35)

t.test('values of rows that need the permission for hazards are not sent', (t) => {
  const hazards = suite.rows.filter(({ id, impact }) => impact === 'hazard' && id.startsWith('SAW-FAR-LEDGER-TIME'))
  t.ok(hazards.length > 0)
  const sent = (rows: typeof suite.rows): string =>
    JSON.stringify([...(valuesOf({ ...suite, rows }, new Map()).members.get('submit-and-wait') ?? [])])
  t.notMatch(sent(suite.rows), '"2090-')
  t.match(sent(hazards.map((row) => ({ ...row, impact: 'write' }))), '"2090-')
  t.end()
})
