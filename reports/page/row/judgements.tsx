import type { Judgement } from '../../../record/types/record.js'
import type { PageExpectation, PageStep, RowDetails, Unjudged } from '../../formats/page-data.js'
import { wantedText } from '../../wording/fact-text.js'
import { foundText } from '../../wording/reason-words.js'
import { subjectText } from '../../wording/rows.js'
import { obligation, roleWords, stepName } from '../../wording/terms.js'
import { count } from '../../wording/words.js'
import { SimpleTable } from '../parts/scroll-box.js'

interface JudgementTableProps {
  judgements: Judgement[]
  steps: PageStep[]
}

export function JudgementTable({ judgements, steps }: JudgementTableProps) {
  return (
    <SimpleTable name="Judgements" columns={['Met', 'Subject', 'Expected', 'Actual', 'Basis']}>
      {judgements.map((judgement, index) => (
        <JudgementLine key={index} judgement={judgement} steps={steps} />
      ))}
    </SimpleTable>
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
      <SimpleTable name="Expectations that were not judged" columns={['Step', 'Expected', 'Basis']}>
        {all.map((one, index) => (
          <Line key={index} {...one} />
        ))}
      </SimpleTable>
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

function Basis({
  rules,
  strength,
  confidence,
  situation,
  basis,
  besides,
  divergence,
  source,
}: Omit<Unjudged, 'expected'> & Partial<PageExpectation>) {
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
