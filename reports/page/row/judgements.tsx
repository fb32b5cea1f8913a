import type { Judgement } from '../../../record/types/record.js'
import type { PageExpectation, PageStep } from '../../formats/page-row.js'
import { wantedText } from '../../wording/fact-text.js'
import { foundText } from '../../wording/reason-words.js'
import { subjectText } from '../../wording/rows.js'
import { obligation, roleWords, stepName } from '../../wording/terms.js'
import { ScrollTable } from '../parts/scroll-box.js'

interface JudgementTableProps {
  judgements: Judgement[]
  steps: PageStep[]
}

export function JudgementTable({ judgements, steps }: JudgementTableProps) {
  return (
    <ScrollTable name="Judgements" columns={['Met', 'Subject', 'Expected', 'Actual', 'Basis']}>
      {judgements.map((judgement, index) => (
        <JudgementLine key={index} judgement={judgement} steps={steps} />
      ))}
    </ScrollTable>
  )
}

function JudgementLine({ judgement, steps }: { judgement: Judgement; steps: PageStep[] }) {
  const { step, role, expectation, met } = judgement
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
        <code>{wantedText(judgement)}</code>
      </td>
      <td class="value">
        <code>{foundText(judgement)}</code>
      </td>
      <td>
        <Basis {...by} {...judgement} />
      </td>
    </tr>
  )
}

function Basis({
  rules,
  strength,
  confidence,
  situation,
  basis,
  besides,
  divergence,
  source,
}: Judgement & Partial<PageExpectation>) {
  const origins = [
    situation === undefined ? '' : `situation ${situation}`,
    basis === undefined ? '' : `basis: ${basis}`,
    divergence === undefined ? '' : `divergence ${divergence}`,
    besides === undefined ? '' : `second error in the request: ${besides}`,
  ]
  return (
    <>
      {rules.join(', ')} <span class="tag">{obligation({ strength, confidence })}</span>{' '}
      <span class="muted">{origins.filter((origin) => origin !== '').join(', ')}</span>
      {source !== undefined && (
        <>
          <br />
          <span class="muted source">{source}</span>
        </>
      )}
    </>
  )
}
