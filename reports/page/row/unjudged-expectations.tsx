/** The expectations of a row without a judgement: the step was not sent, or the row was not judged. */
import type { PageExpectation, PageStep, RowDetails, Unjudged } from '../../formats/page-data.js'
import { roleWords } from '../../wording/step-words.js'
import { count } from '../../wording/words.js'
import { ScrollTable } from '../parts/scroll-box.js'
import { Basis } from './basis.js'

export function UnjudgedExpectations({ steps, evidence }: RowDetails) {
  const sent = new Set(evidence.map(({ step }) => step))
  const all = steps.flatMap((step, index) =>
    step.expectations.flatMap(({ unjudged, ...rest }) =>
      unjudged ? [{ step, expectation: { ...unjudged, ...rest }, why: whyNot(step, sent.has(index)) }] : [],
    ),
  )
  if (all.length === 0) return null
  return (
    <details class="fold">
      <summary>{count(all.length, 'expectation')} not judged</summary>
      <ScrollTable name="Expectations that were not judged">
        <table>
          <thead>
            <tr>
              {['Step', 'Expected', 'Basis'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.map((one, index) => (
              <Line key={index} {...one} />
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </details>
  )
}

interface LineProps {
  step: PageStep
  expectation: Unjudged & PageExpectation
  why: string
}

function Line({ step, expectation, why }: LineProps) {
  return (
    <tr>
      <td>
        {step.name} ({roleWords[step.role]})
        <br />
        <span class="muted">{why}</span>
      </td>
      <td class="value">
        <code>{expectation.expected}</code>
      </td>
      <td>
        <Basis {...expectation} />
      </td>
    </tr>
  )
}

function whyNot({ sentWhen }: PageStep, isSent: boolean): string {
  if (isSent) return 'sent, but not judged'
  if (sentWhen === undefined) return 'not sent'
  return `not sent: only if the request under test is ${sentWhen === 'refused' ? 'rejected' : sentWhen}`
}
