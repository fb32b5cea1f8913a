/** The view is in the address, so that a reader can send a link. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { visible } from '../../wording/hostile-text.js'

export const views = ['summary', 'failures', 'rows', 'rules'] as const

export type View = (typeof views)[number]

export interface Route {
  view: View
  search: string
  row?: string
  by?: string
  operation?: string
}

/** `#/rows/CASE/row?q=verdict:fail` */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name = '', ...rest] = path.split('/')
  const view = views.find((known) => known === name) ?? 'summary'
  const params = new URLSearchParams(query)
  const search = params.get('q') ?? ''
  const [by, operation] = [params.get('by'), params.get('operation')]
  const more = { ...(by !== null && { by }), ...(operation !== null && { operation }) }
  const row = rest.map(decoded).join('/')
  return row === '' ? { view, search, ...more } : { view, search, row, ...more }
}

/** A link can end within an escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function addressOf({ view, search = '', row, by, operation }: Partial<Route> & { view: View }): string {
  // An address cannot contain a lone surrogate.
  const parts = row === undefined ? [] : visible(row).split('/')
  const path = [view, ...parts.map(encodeURIComponent)].join('/')
  const params = new URLSearchParams({
    ...(search !== '' && { q: search }),
    ...(by !== undefined && { by }),
    ...(operation !== undefined && { operation }),
  })
  return `#/${path}${params.size === 0 ? '' : `?${params}`}`
}

/** `step` adds an entry to the browser history, `replace` does not. */
export function goTo(route: Partial<Route> & { view: View }, how: 'step' | 'replace' = 'step'): void {
  const address = addressOf(route)
  if (how === 'step') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  dispatchEvent(new Event('hashchange'))
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  // Before any input: the listeners must receive every change of the address.
  useLayoutEffect(() => {
    const follow = () => setRoute(readRoute(location.hash))
    addEventListener('hashchange', follow)
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('popstate', follow)
    }
  }, [])
  return route
}
