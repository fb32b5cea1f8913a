/** One row in two runs, side by side. */
import type { PageRow } from '../../formats/page-data.js'
import { reasonOf } from '../../wording/reason.js'
import { duration, instant } from '../../wording/words.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'
import { useDetails } from '../state/use-details.js'
import { RowDetailsView } from './row-details.js'

export function CompareRow({ run, baseline, id }: { run: LoadedRun; baseline: LoadedRun; id: string }) {
  const before = baseline.byKey.get(id)
  const after = run.byKey.get(id)
  return (
    <article aria-labelledby="row-title">
      <h2 id="row-title">
        <code>{id}</code>
      </h2>
      <p class="row-title">{(after ?? before)?.resolved.title}</p>
      {after && (
        <p>
          <a href={addressOf({ view: 'rows', row: id })}>All details of this run</a>
        </p>
      )}
      <div class="two runs">
        <Side name="Before" run={baseline} row={before} />
        <Side name="Now" run={run} row={after} />
      </div>
    </article>
  )
}

function Side({ name, run, row }: { name: string; run: LoadedRun; row: PageRow | undefined }) {
  return (
    <section class="card" aria-label={name}>
      <h3>
        {name} <span class="muted">{instant(run.header.startedAt)}</span>
      </h3>
      {row ? <Judged run={run} row={row} /> : <p class="muted">The run does not contain this row.</p>}
    </section>
  )
}

function Judged({ run, row }: { run: LoadedRun; row: PageRow }) {
  const details = useDetails(run, row)
  return (
    <>
      <p>
        <VerdictBadge verdict={row.verdict} /> <span class="muted">{duration(row.milliseconds)}</span>
      </p>
      {row.verdict !== 'pass' && <p class={`reason ${row.verdict}`}>{reasonOf(row)}</p>}
      {details && <RowDetailsView run={run} row={row} details={details} />}
    </>
  )
}
