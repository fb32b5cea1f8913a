/** The printed report: the signer's page, the settings, the failures in full, and the rules. */
import { type Verdict, verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { failureGroups } from '../../summary/failure-groups.js'
import { ruleMutationText } from '../../summary/mutation-text.js'
import { isUnjudgedRule, isUnmetRule, type RuleLine, ruleMatrix } from '../../summary/rule-matrix.js'
import { textInWords } from '../../wording/judged-by.js'
import { ruleTag } from '../../wording/obligation.js'
import { reasonOf } from '../../wording/reason.js'
import { isFailure } from '../../wording/rows.js'
import type { Signing } from '../../wording/signing.js'
import { count } from '../../wording/words.js'
import { Difference } from '../parts/cause-list.js'
import { Passages } from '../parts/passages.js'
import { RowDetailsView } from '../row/row-details.js'
import { RowHead } from '../row/row-view.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Facts } from './facts.js'
import { NotTested } from './not-tested.js'
import { RemainingState } from './remaining-state.js'
import { SignersPage } from './signers-page.js'
import { Waivers } from './waivers.js'

/** Contains all views except the passed rows. */
export function PrintView({ run, signing }: { run: LoadedRun; signing: Signing }) {
  const { header, rows } = run
  const groups = failureGroups(rows, header, ({ rules }) => rules)
  return (
    <main class="print">
      <SignersPage run={run} signing={signing} />
      <div class="new-page tested">
        <h2>Test setup</h2>
        <Facts run={run} />
        <Waivers run={run} />
        <NotTested run={run} />
        <RemainingState run={run} />
        <RowsWithReason run={run} />
      </div>
      {groups.length > 0 && <h2 class="new-page">Failures</h2>}
      {groups.map((group) => (
        <section key={group.title}>
          <h3>
            {group.title} ({group.tag}): {count(group.rows.length, 'row')}
          </h3>
          <p class="rule-text">{group.statement}</p>
          <Passages passages={group.passages} />
          {group.causes.map((cause) => (
            <div key={cause.sentence}>
              <p>
                {cause.rows.length}× <Difference cause={cause} />
              </p>
              <p>
                {cause.rows.map((row) => (
                  <code key={run.keyOf(row)}>{row.id} </code>
                ))}
              </p>
            </div>
          ))}
        </section>
      ))}
      {rows.filter(isFailure).map((row) => (
        <PrintedRow key={run.keyOf(row)} run={run} row={row} />
      ))}
      <PrintedRules run={run} />
    </main>
  )
}

/** Verdicts that are neither a failure nor a simple pass. */
const remarkable: readonly Verdict[] = ['warning', 'excused', 'follows-the-text']

function RowsWithReason({ run }: { run: LoadedRun }) {
  const found = run.rows.filter(({ verdict }) => remarkable.includes(verdict))
  if (found.length === 0) return null
  return (
    <section>
      <h2>Warnings, excused rows, and rows following the text</h2>
      <ul class="plain">
        {found.map((row) => (
          <li key={run.keyOf(row)}>
            <code>{row.id}</code> <strong>{row.verdict}</strong>: {reasonOf(row)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Details that are not unpacked are omitted: a printer does not wait. */
function PrintedRow({ run, row }: { run: LoadedRun; row: PageRow }) {
  const details = run.detailsNow(row)
  return (
    <article class="printed-row">
      <RowHead run={run} row={row} />
      {details ? (
        <RowDetailsView run={run} row={row} details={details} />
      ) : (
        <p class="muted">The HTML file and the run record contain the exchanges of this row.</p>
      )}
    </article>
  )
}

/** Unmet and unjudged rules in full, the others with their counts only. */
function PrintedRules({ run }: { run: LoadedRun }) {
  const matrix = ruleMatrix(
    run.header,
    run.rows.map((row) => row.rules),
  )
  const text = textInWords(run.header)
  const forClients = matrix.filter(({ strength }) => strength === 'client')
  const unmetOrUnjudged = matrix.filter(
    (rule) => (isUnmetRule(rule) || isUnjudgedRule(rule)) && !forClients.includes(rule),
  )
  const met = matrix.filter((rule) => !unmetOrUnjudged.includes(rule) && !forClients.includes(rule))
  return (
    <section class="new-page">
      <h2>Rules</h2>
      {text !== undefined && <p>Interface text: {text}</p>}
      <table class="rule-table">
        <tbody>
          {unmetOrUnjudged.map((rule) => (
            <tr key={rule.id}>
              <th scope="row">
                <code>{rule.id}</code>
              </th>
              <td>
                {rule.statement} ({ruleTag(rule)}){isUnmetRule(rule) && <Passages passages={rule.passages} />}
              </td>
              <td>
                {rule.rows === 0 ? (rule.untestable ?? 'no row judges it') : ''}
                {countsOf(rule)}
                {[ruleMutationText(rule.id, run.header) ?? ''].filter(Boolean).map((known) => `; ${known}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {forClients.length > 0 && (
        <p>Obligations of clients, not tested on a participant: {forClients.map(({ id }) => id).join(', ')}</p>
      )}
      {met.length > 0 && <h3>Met by every judged row</h3>}
      <ul class="rule-list">
        {met.map((rule) => (
          <li key={rule.id}>
            <code>{rule.id}</code> {countsOf(rule)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const countsOf = ({ counts }: RuleLine): string =>
  verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [])).join(', ')
