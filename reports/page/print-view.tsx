import { failureGroups } from '../failure-groups.js'
import type { PageRow } from '../page-data.js'
import { isFailure } from '../rows.js'
import type { Signing } from '../signing.js'
import { count } from '../words.js'
import { Difference } from './cause-list.js'
import { Facts } from './facts.js'
import type { LoadedRun } from './loaded-run.js'
import { Passages } from './passages.js'
import { PrintedRules } from './printed-rules.js'
import { RowBehind } from './row-behind.js'
import { RowHead } from './row-view.js'
import { SignersPage } from './signers-page.js'

/** The report on paper: what its signer has to know on a page of its own, what was tested, what failed by cause, every failed row in full, then the rules. */
export function PrintView({ run, signing }: { run: LoadedRun; signing: Signing }) {
  const { header, rows } = run
  const groups = failureGroups(rows, header, ({ rules }) => rules)
  return (
    <main class="print">
      <SignersPage run={run} signing={signing} />
      <section class="new-page">
        <h2>What was tested</h2>
        <Facts run={run} />
      </section>
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

/** What is not unpacked by now stays packed: a printer does not wait. */
function PrintedRow({ run, row }: { run: LoadedRun; row: PageRow }) {
  const details = run.detailsNow(row)
  return (
    <article class="printed-row">
      <RowHead run={run} row={row} />
      {details ? (
        <RowBehind run={run} row={row} details={details} />
      ) : (
        <p class="muted">Its exchanges are in the file and in the run record.</p>
      )}
    </article>
  )
}
