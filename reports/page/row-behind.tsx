import type { PageRow, RowDetails } from '../page-data.js'
import { tellingEvidence } from '../reason.js'
import { unmetJudgements } from '../rows.js'
import { Differences } from './differences.js'
import { Exchange } from './exchange.js'
import { JudgementTable } from './judgement-table.js'
import type { LoadedRun } from './loaded-run.js'
import { Timeline } from './timeline.js'
import { Variables } from './variables.js'

export interface RowBehindProps {
  run: LoadedRun
  row: PageRow
  details: RowDetails
}

/** What the record has behind a row: differences, all judgements, and the exchanges in the order of sending. */
export function RowBehind({ run, row, details }: RowBehindProps) {
  const { judgements, evidence } = details
  const unmet = unmetJudgements(details)
  const telling = tellingEvidence(details)
  return (
    <>
      {unmet.length > 0 && <h3>Expected and actual</h3>}
      <Differences judgements={unmet} />
      {evidence.length > 0 && <h3>Exchanges</h3>}
      <Timeline evidence={evidence} />
      {evidence.map((exchange, index) => (
        <Exchange
          key={index}
          exchange={exchange}
          role={roleOf(evidence, index)}
          isOpen={exchange === telling}
          unmet={unmet.filter(({ step }) => step === exchange.step)}
        />
      ))}
      {judgements.length > 0 && (
        <details class="fold">
          <summary>
            All {judgements.length} judgements, {judgements.length - unmet.length} of them met
          </summary>
          <JudgementTable judgements={[...unmet, ...judgements.filter(({ met }) => met)]} />
        </details>
      )}
      <Variables own={details.variables} shared={run.header.variables} row={row} />
    </>
  )
}

/** Where an exchange stands: the last of the row's own steps is what is tested, the others lead to it. */
function roleOf(evidence: RowDetails['evidence'], index: number): string {
  const test = evidence.findLastIndex(({ purpose }) => purpose === 'test')
  if (index === test) return 'under test'
  if (evidence[index]?.purpose === 'test') return 'set-up'
  return index < test ? 'probe before' : 'probe after'
}
