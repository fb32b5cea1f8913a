/** The rows of the search, and the selected row. */
import { useMemo, useRef } from 'preact/hooks'
import { RowList } from '../parts/row-list.js'
import { SearchBox } from '../parts/search-box.js'
import { RowView } from '../row/row-view.js'
import { ErrorBoundary } from '../state/error-boundary.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, goTo, type Route } from '../state/route.js'
import { rowFilter } from '../state/row-filter.js'

export function RowsView({ run, route }: { run: LoadedRun; route: Route }) {
  const list = useRef<HTMLDivElement>(null)
  const filter = useMemo(() => rowFilter(route.search), [route.search])
  const rows = useMemo(() => run.rows.filter(filter.matches), [run, filter])
  const row = route.row === undefined ? undefined : run.byKey.get(route.row)
  const select = (key: string) => goTo({ view: 'rows', search: route.search, row: key }, 'replace')
  const toList = () => {
    list.current?.focus()
    // The list does not contain a row that the search excludes.
    const [first] = rows
    if (first && (row === undefined || !rows.includes(row))) select(run.keyOf(first))
  }
  const back = () => {
    goTo({ view: 'rows', search: route.search })
    setTimeout(() => list.current?.focus())
  }
  return (
    <div class={row ? 'master-detail has-row' : 'master-detail'}>
      <div class="master">
        <h2 class="hidden">Rows</h2>
        <SearchBox
          search={route.search}
          found={rows.length}
          total={run.rows.length}
          mistakes={filter.mistakes}
          toList={toList}
        />
        {rows.length === 0 ? (
          <p class="card muted empty">No row matches the search.</p>
        ) : (
          <RowList list={list} run={run} rows={rows} selected={row} select={select} />
        )}
      </div>
      <div class="detail">
        {row && (
          <p class="back">
            <a href={addressOf({ view: 'rows', search: route.search })}>← Back to the list</a>
          </p>
        )}
        {row ? (
          <ErrorBoundary key={run.keyOf(row)}>
            <RowView run={run} row={row} back={back} />
          </ErrorBoundary>
        ) : (
          <NoRow wanted={route.row} />
        )}
      </div>
    </div>
  )
}

function NoRow({ wanted }: { wanted: string | undefined }) {
  if (wanted === undefined) return <p class="muted empty">Select a row to see its details.</p>
  return (
    <p class="empty" role="alert">
      This run does not contain the row <code>{wanted}</code>.
    </p>
  )
}
