/** The view is in the address, so that a reader can send a link. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { visible } from '../../wording/hostile-text.js'

export const views = ['verdict', 'failures', 'text', 'rules', 'rows'] as const

export type View = (typeof views)[number]

export interface Route {
  view: View
  search: string
  /** Of the view: a row, or a part of a static view. */
  row?: string
}

/** `#/rows/CASE/row?q=verdict:fail` */
function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name = '', ...rest] = path.split('/')
  const view = views.find((known) => known === name) ?? 'verdict'
  const search = new URLSearchParams(query).get('q') ?? ''
  const row = rest.map(decoded).join('/')
  return row === '' ? { view, search } : { view, search, row }
}

/** A link can end within an escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function addressOf({ view, search = '', row }: Partial<Route> & { view: View }): string {
  // An address cannot contain a lone surrogate.
  const parts = row === undefined ? [] : visible(row).split('/')
  const path = [view, ...parts.map(encodeURIComponent)].join('/')
  return `#/${path}${search === '' ? '' : `?${new URLSearchParams({ q: search })}`}`
}

/** `step` adds an entry to the browser history, `replace` does not. */
export function goTo(route: Partial<Route> & { view: View }, how: 'step' | 'replace' = 'step'): void {
  const address = addressOf(route)
  if (how === 'step') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  dispatchEvent(new Event('hashchange'))
}

/** Calls with the present address, and with each later one. Returns a function that ends it. */
export function followRoute(show: (route: Route) => void): () => void {
  const follow = () => show(readRoute(location.hash))
  addEventListener('hashchange', follow)
  addEventListener('popstate', follow)
  follow()
  return () => {
    removeEventListener('hashchange', follow)
    removeEventListener('popstate', follow)
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  // Before any input: the listeners must receive every change of the address.
  useLayoutEffect(() => followRoute(setRoute), [])
  return route
}
