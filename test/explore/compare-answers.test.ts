import t from 'tap'
import { summarizeAnswer } from '../../explore/compare/compare-answers.js'
import { answerOf } from '../../runner/judge/answer.js'
import { sampleEvidence } from '../support/records/sample-row.js'

function summaryOf(status: number, text: string): string {
  const body = { text, bytes: text.length }
  const evidence = sampleEvidence({ response: { status, headers: [['content-type', 'application/json']], body } })
  const answer = answerOf(evidence)
  return summarizeAnswer({ evidence, ...(answer && { answer }) })
}

t.test('the summary of an answer names the error code of an error only', (t) => {
  t.equal(summaryOf(400, '{"code":"INVALID_FIELD"}'), '400 application/json INVALID_FIELD')
  t.equal(summaryOf(404, '{"message":"not found"}'), '404 application/json')
  t.equal(summaryOf(200, '{"code":"a member"}'), '200 application/json')
  t.end()
})
