import { failureGroups } from '../failure-groups.js'
import { judgedBy } from '../judged-by.js'
import type { PageRow } from '../page-data.js'
import { isFailure } from '../rows.js'
import { count, instant } from '../words.js'
import { Difference } from './cause-list.js'
import { Facts } from './facts.js'
import type { LoadedRun } from './loaded-run.js'
import { Outcome } from './outcome.js'
import { Passages } from './passages.js'
import { PrintedRules } from './printed-rules.js'
import { RowBehind } from './row-behind.js'
import { RowHead } from './row-view.js'
import { VerdictTiles } from './verdict-tiles.js'

/** The report on paper: the summary on a page of its own, what failed by cause, every failed row in full, then the rules. */
export function PrintView({ run }: { run: LoadedRun }) {
  const { header, conclusion, rows } = run
  return (
    <main class="print">
      <h1>Conformance report</h1>
      <p>
        {header.target.url} · profile {judgedBy(header)} · run {header.run} · {instant(header.startedAt)}
      </p>
      <Outcome conclusion={conclusion} profile={judgedBy(header)} />
      <VerdictTiles counts={conclusion.counts} header={header} />
      <section class="card">
        <h2>What was tested</h2>
        <Facts run={run} />
      </section>
      <h2 class="new-page">Failures</h2>
      {failureGroups(rows, header, ({ rules }) => rules).map((group) => (
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
