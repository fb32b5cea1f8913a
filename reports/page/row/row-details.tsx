/** The details of a row: differences, exchanges in the order of sending, judgements and variables. */

import type { RecordedVariables } from '../../../record/types/record.js'
import type { PageRow, RowDetails } from '../../formats/page-data.js'
import { cut } from '../../wording/hostile-text.js'
import { decisiveExchange } from '../../wording/reason.js'
import { unmetJudgements } from '../../wording/rows.js'
import { isSameExchange, stepName } from '../../wording/step-words.js'
import { Timeline } from '../parts/timeline.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Differences } from './differences.js'
import { Exchange } from './exchange.js'
import { JudgementTable } from './judgement-table.js'
import { UnjudgedExpectations } from './unjudged-expectations.js'

export interface RowDetailsProps {
  run: LoadedRun
  row: PageRow
  details: RowDetails
}

export function RowDetailsView({ run, row, details }: RowDetailsProps) {
  const { judgements, evidence, steps } = details
  const unmet = unmetJudgements(details)
  const decisive = decisiveExchange(details)
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
          isOpen={exchange === decisive}
          unmet={unmet.filter((judgement) => isSameExchange(judgement, exchange))}
        />
      ))}
      {judgements.length > 0 && (
        <details class="fold">
          <summary>
            All {judgements.length} judgements, {judgements.length - unmet.length} met
          </summary>
          <JudgementTable judgements={[...unmet, ...judgements.filter(({ met }) => met)]} steps={steps} />
        </details>
      )}
      <UnjudgedExpectations {...details} />
      <Variables own={details.variables} shared={run.header.variables} row={row} />
    </>
  )
}

interface VariablesProps {
  own: RecordedVariables | undefined
  shared: RecordedVariables | undefined
  row: PageRow
}

const longest = 300

/** The variables of the row and of the run, with their values. */
function Variables({ own = {}, shared = {}, row }: VariablesProps) {
  const all = [...Object.entries(own), ...Object.entries(shared)]
  if (all.length === 0) return null
  return (
    <details class="fold">
      <summary>{all.length} variables in requests and expectations</summary>
      <dl class="variables" aria-label={`Variables of ${row.id}`}>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{cut(value, longest)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
