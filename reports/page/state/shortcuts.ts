import { useLayoutEffect } from 'preact/hooks'
import { isFailure } from '../../wording/rows.js'
import type { LoadedRun } from './loaded-run.js'
import { goTo, type Route, readRoute, views } from './route.js'
import { rowFilter } from './row-filter.js'

export const shortcuts: readonly [key: string, does: string][] = [
  ['1 to 5', 'the views, from verdict to rows'],
  ['/', 'search the rows'],
  ['n, p', 'the next or previous failed row in the search result'],
  ['↑ ↓ Home End', 'move in the list of rows'],
  ['Enter', 'from the list or the search to the row'],
  ['Esc', 'from the row to the list'],
  ['?', 'this help'],
]

/** The keys have no effect in a text field or with a modifier. */
export function useShortcuts(areOn: boolean, run: LoadedRun, showHelp: () => void): void {
  useLayoutEffect(() => {
    if (!areOn) return undefined
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const route = readRoute(location.hash)
      const view = views[Number(event.key) - 1]
      if (view) goTo({ view })
      else if (event.key === '?') showHelp()
      else if (event.key === 'n') goToFailure(run, route, 1)
      else if (event.key === 'p') goToFailure(run, route, -1)
      else if (event.key === '/') goToSearch(route)
      else if (isArrow(event) && route.view === 'rows') goToList(event.key)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', act)
    return () => removeEventListener('keydown', act)
  }, [areOn, run, showHelp])
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

/** Without focus, an arrow key moves in the list. */
const isArrow = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'ArrowDown' || key === 'ArrowUp') && target === document.body

function goToList(key: string): void {
  const list = document.querySelector<HTMLElement>('.row-list')
  list?.focus()
  list?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}

function goToSearch(route: Route): void {
  if (route.view !== 'rows') goTo({ view: 'rows' })
  // The view must be rendered first.
  setTimeout(() => document.querySelector<HTMLInputElement>('#search')?.focus())
}

function goToFailure(run: LoadedRun, route: Route, step: 1 | -1): void {
  const here = route.row === undefined ? undefined : run.byKey.get(route.row)
  const start = here ? run.rows.indexOf(here) : step === 1 ? -1 : run.rows.length
  const ahead = step === 1 ? run.rows.slice(start + 1) : run.rows.slice(0, start).reverse()
  const { matches } = rowFilter(route.search)
  const next = ahead.find((row) => isFailure(row) && matches(row))
  if (next) goTo({ view: 'rows', search: route.search, row: run.keyOf(next) })
}
