import type { Verdict } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { failureGroups } from '../../summary/failure-groups.js'
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
import { PrintedRules } from './printed-rules.js'
import { RemainingState } from './remaining-state.js'
import { SignersPage } from './signers-page.js'
import { Waivers } from './waivers.js'

/**
 * The report on paper, with all that the views have but what passed row by row: what its signer has to know on a page of its own, what
 * was tested, what was put up with and what stays, what failed by cause, every failed row in full, then the rules.
 */
export function PrintView({ run, signing }: { run: LoadedRun; signing: Signing }) {
  const { header, rows } = run
  const groups = failureGroups(rows, header, ({ rules }) => rules)
  return (
    <main class="print">
      <SignersPage run={run} signing={signing} />
      <div class="new-page tested">
        <h2>What was tested</h2>
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

/** Rows that keep no run from conforming and did not simply pass: what is to be told of each is its reason. */
const told: readonly Verdict[] = ['warning', 'excused', 'follows-the-text']

function RowsWithReason({ run }: { run: LoadedRun }) {
  const found = run.rows.filter(({ verdict }) => told.includes(verdict))
  if (found.length === 0) return null
  return (
    <section>
      <h2>Rows that did not simply pass</h2>
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

/** What is not unpacked by now stays packed: a printer does not wait. */
function PrintedRow({ run, row }: { run: LoadedRun; row: PageRow }) {
  const details = run.detailsNow(row)
  return (
    <article class="printed-row">
      <RowHead run={run} row={row} />
      {details ? (
        <RowDetailsView run={run} row={row} details={details} />
      ) : (
        <p class="muted">Its exchanges are in the file and in the run record.</p>
      )}
    </article>
  )
}
