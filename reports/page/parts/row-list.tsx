/** The page contains only the visible part of the list. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { PageRow } from '../../formats/page-row.js'
import { cut } from '../../wording/hostile-text.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { VerdictBadge } from './verdict-badge.js'

export interface RowListProps {
  list: RefObject<HTMLDivElement | null>
  run: LoadedRun
  rows: PageRow[]
  selected: PageRow | undefined
  select: (key: string) => void
}

/** Pixels; row-list.css has the same value. */
const rowHeight = 58
const spare = 8

export function RowList({ list, run, rows, selected, select }: RowListProps) {
  const [view, setView] = useState({ top: 0, height: 800 })
  const current = selected ? rows.indexOf(selected) : -1
  useMeasured(list, setView)
  useLayoutEffect(() => {
    if (list.current && current >= 0) scrollTo(list.current, current)
  }, [list, current])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const shown = rows.slice(first, last).map((row, offset) => ({ row, index: first + offset }))
  const keep = current >= 0 && (current < first || current >= last) ? [{ row: rows[current], index: current }] : []
  const goTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row) select(run.keyOf(row))
  }
  return (
    <div
      ref={list}
      class="row-list"
      role="listbox"
      aria-label="Rows"
      tabIndex={0}
      aria-activedescendant={current >= 0 ? `row-${current}` : undefined}
      onKeyDown={(event) => {
        const next = indexAfter(event.key, current, rows.length, view.height)
        if (event.key === 'Enter') document.getElementById('row')?.focus()
        if (next === undefined) return
        event.preventDefault()
        goTo(next)
      }}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <div role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {[...shown, ...keep].map(
          ({ row, index }) =>
            row && (
              <Option
                key={run.keyOf(row)}
                row={row}
                index={index}
                total={rows.length}
                isSelected={index === current}
                choose={() => goTo(index)}
              />
            ),
        )}
      </div>
    </div>
  )
}

interface OptionProps {
  row: PageRow
  index: number
  total: number
  isSelected: boolean
  choose: () => void
}

function Option({ row, index, total, isSelected, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the focus and handles the keys
    <div
      id={`row-${index}`}
      class="row-option"
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-setsize={total}
      aria-posinset={index + 1}
      style={{ top: `${index * rowHeight}px` }}
      onClick={choose}
    >
      <span class="first-line">
        <VerdictBadge verdict={row.verdict} /> <strong>{cut(row.change, 100)}</strong>
      </span>
      <span class="second-line">
        <code>{row.id}</code> {cut(row.resolved.title, 300)}
      </span>
    </div>
  )
}

function indexAfter(key: string, current: number, total: number, height: number): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  if (key === 'ArrowDown' || key === 'j') return current + 1
  if (key === 'ArrowUp' || key === 'k') return Math.max(0, current - 1)
  if (key === 'PageDown') return current + page
  if (key === 'PageUp') return Math.max(0, current - page)
  if (key === 'Home') return 0
  return key === 'End' ? total - 1 : undefined
}

function scrollTo(list: HTMLElement, index: number): void {
  const top = index * rowHeight
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight
}

function useMeasured(
  list: RefObject<HTMLDivElement | null>,
  setView: (view: { top: number; height: number }) => void,
): void {
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list, setView])
}
