/** All judgements of a row, each with its basis. */
import type { Judgement } from '../../../record/types/record.js'
import type { PageStep } from '../../formats/page-data.js'
import { subjectText } from '../../wording/rows.js'
import { roleWords, stepName } from '../../wording/step-words.js'
import { ScrollTable } from '../parts/scroll-box.js'
import { Basis } from './basis.js'

export interface JudgementTableProps {
  judgements: Judgement[]
  steps: PageStep[]
}

export function JudgementTable({ judgements, steps }: JudgementTableProps) {
  return (
    <ScrollTable name="Judgements">
      <table>
        <thead>
          <tr>
            {['Met', 'Subject', 'Expected', 'Actual', 'Basis'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {judgements.map((judgement, index) => (
            <JudgementLine key={index} judgement={judgement} steps={steps} />
          ))}
        </tbody>
      </table>
    </ScrollTable>
  )
}

function JudgementLine({ judgement, steps }: { judgement: Judgement; steps: PageStep[] }) {
  const { step, role, expectation, expected, actual, met } = judgement
  const by = expectation === undefined ? undefined : steps[step]?.expectations[expectation]
  return (
    <tr class={met ? 'met' : 'unmet'}>
      <td class="short">{met ? '✓ yes' : '✗ no'}</td>
      <td>
        <code>{subjectText(judgement)}</code>
        <br />
        <span class="muted">
          {stepName({ steps }, judgement)} ({roleWords[role]})
        </span>
      </td>
      <td class="value">
        <code>{expected}</code>
      </td>
      <td class="value">
        <code>{actual}</code>
      </td>
      <td>
        <Basis {...by} {...judgement} />
      </td>
    </tr>
  )
}
