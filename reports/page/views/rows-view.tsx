import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageRow } from '../../formats/page-row.js'
import { isFailure } from '../../wording/rows.js'
import { RowList } from '../parts/row-list.js'
import { RowView } from '../row/row-view.js'
import { ErrorBoundary } from '../state/error-boundary.js'
import { type LoadedRun, unpackDetails } from '../state/loaded-run.js'
import { addressOf, goTo, useRoute } from '../state/route.js'
import { type RowFilter, rowFilter, searchBodies } from '../state/row-filter.js'
import { SearchBox } from './search-box.js'

/** Without a row in the address, opens the first failure that the search finds. */
export function RowsView({ run }: { run: LoadedRun }) {
  const route = useRoute()
  const isShown = route.view === 'rows'
  const list = useRef<HTMLDivElement>(null)
  const { details, areBodiesReady } = useDetails(run, isShown)
  const filter = useMemo(() => rowFilter(route.search), [route.search, areBodiesReady])
  const rows = useMemo(() => run.rows.filter(filter.matches), [run, filter])
  if (!isShown) return null
  const wanted = route.row === undefined ? undefined : run.byKey.get(route.row)
  const row = wanted ?? (route.row === undefined ? (rows.find(isFailure) ?? rows[0]) : undefined)
  const select = (key: string) => goTo({ view: 'rows', search: route.search, row: key }, 'replace')
  const toList = () => {
    list.current?.focus()
    // The search may exclude the row.
    const [first] = rows
    if (first && (wanted === undefined || !rows.includes(wanted))) select(run.keyOf(first))
  }
  const back = () => {
    goTo({ view: 'rows', search: route.search })
    setTimeout(() => list.current?.focus())
  }
  return (
    <div class={route.row === undefined ? 'master-detail' : 'master-detail has-row'}>
      <Master run={run} search={route.search} filter={filter} rows={rows} toList={toList}>
        <RowList list={list} run={run} rows={rows} selected={row} select={select} />
      </Master>
      <div class="detail">
        {route.row !== undefined && (
          <p class="back">
            <a href={addressOf({ view: 'rows', search: route.search })}>← Back to the list</a>
          </p>
        )}
        {row && (
          <ErrorBoundary key={run.keyOf(row)}>
            <RowView run={run} row={row} details={details} back={back} />
          </ErrorBoundary>
        )}
        {!row && route.row !== undefined && (
          <p class="empty" role="alert">
            This run does not contain the row <code>{route.row}</code>.
          </p>
        )}
      </div>
    </div>
  )
}

interface MasterProps {
  run: LoadedRun
  search: string
  filter: RowFilter
  rows: PageRow[]
  toList: () => void
  children: preact.ComponentChildren
}

function Master({ run, search, filter, rows, toList, children }: MasterProps) {
  return (
    <div class="master">
      <h2 class="hidden">Rows</h2>
      <SearchBox run={run} search={search} found={rows.length} mistakes={filter.mistakes} toList={toList} />
      {rows.length === 0 ? <p class="card muted empty">No row matches the search.</p> : children}
    </div>
  )
}

interface UnpackedDetails {
  /** Undefined before they are unpacked. */
  details?: readonly string[]
  /** The search finds requests and answers. */
  areBodiesReady: boolean
}

/** Unpacks the details once, in the background. */
function useDetails(run: LoadedRun, isShown: boolean): UnpackedDetails {
  const [unpacked, setUnpacked] = useState<UnpackedDetails>({ areBodiesReady: false })
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isShown || isStarted.current) return
    isStarted.current = true
    const unpack = async () => {
      // The view of each row reports that its details are damaged.
      const details = await unpackDetails(document.getElementById('details')?.textContent ?? '').catch(
        (): string[] => [],
      )
      setUnpacked({ details, areBodiesReady: false })
      await searchBodies(run, details)
      setUnpacked({ details, areBodiesReady: true })
    }
    unpack().catch(() => undefined)
  }, [run, isShown])
  return unpacked
}
