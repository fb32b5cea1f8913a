import t from 'tap'
import { rowText } from '../../reports/wording/row-text.js'
import { sampleHeader } from '../support/records/sample-record.js'
import { sampleRow, sampleStep } from '../support/records/sample-row.js'

t.test('the text of a row states the circumstances of each step, and of no other', (t) => {
  const { rules, profile } = sampleHeader()
  const steps = [
    sampleStep({ name: 'plain' }),
    sampleStep({ name: 'signed', presigned: true }),
    sampleStep({ name: 'raced', race: { times: 3, others: [] } }),
    sampleStep({ name: 'late', later: 'late-check' }),
  ]
  const text = rowText(sampleRow('A/1', {}, { steps }).resolved, { rules, profile })
  const circumstances = new Map(
    text
      .split(/^\d\. /m)
      .slice(1)
      .map((part) => [/: (\w+) \(/.exec(part)?.[1], part.split('\n')[1]?.trim()]),
  )
  t.match(circumstances.get('signed'), /^not sent: a presigned transaction/)
  t.match(circumstances.get('raced'), /^sent 3 times concurrently$/)
  t.match(circumstances.get('late'), /^with the late-effects check$/)
  t.notMatch(circumstances.get('plain'), /not sent|concurrently|late/)
  t.end()
})
