import type { Judgement, RecordedVariables } from '../../../record/types/record.js'
import type { PageRow, PageStep, RowDetails } from '../../formats/page-row.js'
import { senderOf } from '../../wording/curl.js'
import { wantedText } from '../../wording/fact-text.js'
import { cut } from '../../wording/hostile-text.js'
import { decisiveExchange } from '../../wording/reason.js'
import { foundText } from '../../wording/reason-words.js'
import { subjectText, unmetJudgements } from '../../wording/rows.js'
import { isSameExchange, obligation, roleWords, stepName } from '../../wording/terms.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Exchange } from './exchange.js'
import { JudgementTable } from './judgements.js'

interface RowDetailsProps {
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
      {evidence.map((exchange, index) => (
        <Exchange
          key={index}
          exchange={exchange}
          step={stepName(details, exchange)}
          isOpen={exchange === decisive}
          sender={senderOf(exchange, steps, run.header, row.configuration)}
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

function Differences({ judgements, steps }: { judgements: Judgement[]; steps: PageStep[] }) {
  return (
    <div class="differences">
      {judgements.map((judgement, index) => (
        <DifferenceCard key={index} judgement={judgement} steps={steps} />
      ))}
    </div>
  )
}

function DifferenceCard({ judgement, steps }: { judgement: Judgement; steps: PageStep[] }) {
  const { role, rules } = judgement
  const expected = wantedText(judgement)
  const step = stepName({ steps }, judgement)
  const [first, differing, last] = split(foundText(judgement), expected)
  return (
    <article class="difference" aria-label={`${step}: ${subjectText(judgement)}`}>
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
    </article>
  )
}

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
