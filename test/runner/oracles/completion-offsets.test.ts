import t from 'tap'
import type { RunRow } from '../../../record/types/record.js'
import { wrongOffsets } from '../../../runner/oracles/completion-offsets.js'
import { acceptedIn, completionsIn } from '../../../runner/oracles/run-requests.js'
import { sampleEvidence, sampleRow, sampleStep } from '../../support/records/sample-row.js'

const answer = (step: number, body: object) => {
  const text = JSON.stringify(body)
  return sampleEvidence({ step, response: { status: 200, headers: [], body: { text, bytes: text.length } } })
}

const submitted = (id: string, answered: object): RunRow =>
  sampleRow(id, { evidence: [answer(0, answered)] }, { steps: [sampleStep({ operation: 'submit-and-wait' })] })

/** The completion of `u1` has the offset 7; a failed one has no update. */
const read = sampleRow(
  'A/read',
  {
    evidence: [
      answer(
        0,
        [
          { commandId: 'mark-1', updateId: 'u1', offset: 7, status: { code: 0 } },
          { commandId: 'mark-2', updateId: '', offset: 9, status: { code: 5 } },
        ].map((value) => ({ completionResponse: { Completion: { value } } })),
      ),
    ],
  },
  { steps: [sampleStep({ operation: 'completions' })] },
)

const found = (row: RunRow) => {
  const rows = [row, read]
  return wrongOffsets({ accepted: acceptedIn(rows, {}), completions: completionsIn(rows, /mark-\d/) })
}

t.test('an answer whose completionOffset differs from its completion fails its row', (t) => {
  t.strictSame(found(submitted('A/1', { updateId: 'u1', completionOffset: 7 })), [])
  t.match(found(submitted('A/1', { updateId: 'u1', completionOffset: 6 })), [
    {
      kind: 'contradicted',
      oracle: 'completions',
      reason: { code: 'completion-offset-differs', update: 'u1', found: 6, expected: 7 },
      rules: ['SAW-COMPLETION-OFFSET'],
      rows: ['A/1'],
    },
  ])
  t.end()
})

t.test('answers without an update id, without an offset, or without a read completion show no difference', (t) => {
  for (const answered of [{ completionOffset: 6 }, { updateId: 'u1' }, { updateId: 'u2', completionOffset: 6 }])
    t.strictSame(found(submitted('A/1', answered)), [], JSON.stringify(answered))
  t.end()
})
