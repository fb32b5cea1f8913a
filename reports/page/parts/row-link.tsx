import type { PageRow } from '../../formats/page-data.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'
import { VerdictBadge } from './verdict-badge.js'

/** One line that leads to a row. */
export function RowLink({ run, row }: { run: LoadedRun; row: PageRow }) {
  return (
    <a class="row-link" href={addressOf({ view: 'rows', row: run.keyOf(row) })}>
      <VerdictBadge verdict={row.verdict} /> <code>{row.id}</code> <span class="title">{row.resolved.title}</span>
    </a>
  )
}
