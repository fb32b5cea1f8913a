/** The unmet judgements: expected and actual side by side, with the difference marked. */
import type { Judgement } from '../../../record/types/record.js'
import type { PageStep } from '../../formats/page-data.js'
import { obligation } from '../../wording/obligation.js'
import { subjectText } from '../../wording/rows.js'
import { roleWords, stepName } from '../../wording/step-words.js'

export function Differences({ judgements, steps }: { judgements: Judgement[]; steps: PageStep[] }) {
  return (
    <div class="differences">
      {judgements.map((judgement, index) => (
        <DifferenceCard key={index} judgement={judgement} steps={steps} />
      ))}
    </div>
  )
}

function DifferenceCard({ judgement, steps }: { judgement: Judgement; steps: PageStep[] }) {
  const { role, expected, actual, rules } = judgement
  const step = stepName({ steps }, judgement)
  const [first, differing, last] = split(actual, expected)
  return (
    <section class="difference" aria-label={`${step}: ${subjectText(judgement)}`}>
      <h4>
        <span aria-hidden="true">✗</span> <code>{subjectText(judgement)}</code>{' '}
        <span class="muted">
          of {step} ({roleWords[role]}) · {rules.join(', ')} ({obligation(judgement)})
        </span>
      </h4>
      <div class="two">
        <div class="expected">
          <p class="label">Expected</p>
          <pre>{expected}</pre>
        </div>
        <div class="actual">
          <p class="label">Actual</p>
          <pre>
            {first}
            {differing !== '' && <mark>{differing}</mark>}
            {last}
          </pre>
        </div>
      </div>
    </section>
  )
}

/** The actual text in three parts: common beginning, difference, common end. */
function split(actual: string, expected: string): [string, string, string] {
  const shorter = Math.min(actual.length, expected.length)
  let begin = 0
  while (begin < shorter && actual[begin] === expected[begin]) begin += 1
  let end = 0
  while (end < shorter - begin && actual.at(-1 - end) === expected.at(-1 - end)) end += 1
  // A few common letters are a coincidence.
  if (begin + end < 8) return ['', actual, '']
  return [actual.slice(0, begin), actual.slice(begin, actual.length - end), actual.slice(actual.length - end)]
}
