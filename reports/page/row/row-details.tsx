import type { PageRow, RowDetails } from '../../formats/page-data.js'
import { decisiveExchange } from '../../wording/reason.js'
import { unmetJudgements } from '../../wording/rows.js'
import { isSameExchange, stepName } from '../../wording/step-words.js'
import { Timeline } from '../parts/timeline.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Differences } from './differences.js'
import { Exchange } from './exchange.js'
import { JudgementTable } from './judgement-table.js'
import { UnjudgedExpectations } from './unjudged-expectations.js'
import { Variables } from './variables.js'

export interface RowDetailsProps {
  run: LoadedRun
  row: PageRow
  details: RowDetails
}

/** What the record has behind a row: differences, all judgements, and the exchanges in the order of sending. */
export function RowDetailsView({ run, row, details }: RowDetailsProps) {
  const { judgements, evidence, steps } = details
  const unmet = unmetJudgements(details)
  const telling = decisiveExchange(details)
  return (
    <>
      {unmet.length > 0 && <h3>Expected and actual</h3>}
      <Differences judgements={unmet} steps={steps} />
      {evidence.length > 0 && <h3>Exchanges</h3>}
      <Timeline evidence={evidence} steps={steps} />
      {evidence.map((exchange, index) => (
        <Exchange
          key={index}
          exchange={exchange}
          step={stepName(details, exchange)}
          isOpen={exchange === telling}
          unmet={unmet.filter((judgement) => isSameExchange(judgement, exchange))}
        />
      ))}
      {judgements.length > 0 && (
        <details class="fold">
          <summary>
            All {judgements.length} judgements, {judgements.length - unmet.length} of them met
          </summary>
          <JudgementTable judgements={[...unmet, ...judgements.filter(({ met }) => met)]} steps={steps} />
        </details>
      )}
      <UnjudgedExpectations {...details} />
      <Variables own={details.variables} shared={run.header.variables} row={row} />
    </>
  )
}
