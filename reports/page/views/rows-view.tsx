import { useMemo, useRef } from 'preact/hooks'
import { RowList } from '../parts/row-list.js'
import { RowView } from '../row/row-view.js'
import { ErrorBoundary } from '../state/error-boundary.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, goTo, type Route } from '../state/route.js'
import { fieldNames, rowFilter } from '../state/row-filter.js'

export function RowsView({ run, route }: { run: LoadedRun; route: Route }) {
  const list = useRef<HTMLDivElement>(null)
  const filter = useMemo(() => rowFilter(route.search), [route.search])
  const rows = useMemo(() => run.rows.filter(filter.matches), [run, filter])
  const row = route.row === undefined ? undefined : run.byKey.get(route.row)
  const select = (key: string) => goTo({ view: 'rows', search: route.search, row: key }, 'replace')
  const toList = () => {
    list.current?.focus()
    // The search may exclude the row.
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

interface SearchBoxProps {
  search: string
  found: number
  total: number
  mistakes: string[]
  toList: () => void
}

const quick: readonly [name: string, search: string][] = [
  ['Failures', 'verdict:fail,error,blocked,unexpected-pass'],
  ['Warnings', 'verdict:warning'],
  ['Not run', 'verdict:not-applicable,blocked'],
]

function SearchBox({ search, found, total, mistakes, toList }: SearchBoxProps) {
  const seek = (text: string) => goTo({ view: 'rows', search: text }, 'replace')
  return (
    <search class="search-box">
      <label for="search">Search rows</label>
      <input
        id="search"
        type="search"
        value={search}
        placeholder="verdict:fail rule:GEN-* status:5xx text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="search-help"
        onInput={(event) => seek(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'ArrowDown') toList()
        }}
      />
      <div class="quick">
        {quick.map(([name, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={search === text}
            onClick={() => seek(search === text ? '' : text)}
          >
            {name}
          </button>
        ))}
        <button type="button" disabled={search === ''} onClick={() => seek('')}>
          Show all
        </button>
        <output>
          {found} of {total} rows
        </output>
      </div>
      {mistakes.map((mistake) => (
        <p key={mistake} class="note" role="status">
          {mistake}
        </p>
      ))}
      <details class="grammar">
        <summary id="search-help">How to search</summary>
        <p>
          A word matches in all fields, <code>name:value</code> in one of {fieldNames.join(', ')}. <code>a,b</code>{' '}
          matches either value, <code>*</code> any text, and <code>"two words"</code> the exact phrase. <code>-</code>{' '}
          negates a term. Example: <code>operation:submit* -verdict:pass status:4xx,5xx</code>
        </p>
      </details>
    </search>
  )
}
