/** The static views: one is shown, all are printed. */
import type { Route } from '../state/route.js'

export function showView({ view, row }: Route): void {
  const main = document.getElementById('main')
  if (main) main.dataset['view'] = view
  for (const link of document.querySelectorAll<HTMLElement>('nav [data-view]')) {
    if (link.dataset['view'] === view) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (view === 'rows') return
  const part = row === undefined ? null : document.getElementById(row)
  if (part) part.scrollIntoView()
  else scrollTo(0, 0)
}

/** Without a script all parts are open. A closed part has no content on paper. */
export function foldUntilPrint(): void {
  const folds = [...document.querySelectorAll('details')]
  let opened: HTMLDetailsElement[] = []
  for (const fold of folds) fold.open = false
  addEventListener('beforeprint', () => {
    opened = folds.filter((fold) => fold.open)
    for (const fold of folds) fold.open = true
  })
  addEventListener('afterprint', () => {
    for (const fold of folds) fold.open = opened.includes(fold)
  })
}

/** The address contains the view, so the skip link must not change it. */
export function focusMainBySkipLink(): void {
  const skip = document.querySelector('.skip')
  skip?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
}
