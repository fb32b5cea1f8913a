/** The HTML page: its views, settings and shortcuts. */
import { options } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isFailure } from '../wording/rows.js'
import type { Signing } from '../wording/signing.js'
import { ErrorBoundary } from './state/error-boundary.js'
import type { LoadedRun } from './state/loaded-run.js'
import { type Route, useRoute } from './state/route.js'
import { prepareSearch } from './state/row-filter.js'
import { useSettings } from './state/settings.js'
import { useShortcuts } from './state/shortcuts.js'
import { CompareView } from './views/compare-view.js'
import { FailuresView } from './views/failures-view.js'
import { HelpDialog } from './views/help-dialog.js'
import { PageHeader } from './views/page-header.js'
import { PrintView } from './views/print-view.js'
import { RowsView } from './views/rows-view.js'
import { RulesView } from './views/rules-view.js'
import { SummaryView } from './views/summary-view.js'

export interface AppProps {
  run: LoadedRun
  baseline: LoadedRun | undefined
  signing: Signing
  /** The comparison initially contains changed timing. */
  times: boolean
}

export function App({ run, baseline: packed, signing, times }: AppProps) {
  const route = useRoute()
  const [settings, change] = useSettings()
  const [baseline, setBaseline] = useState(packed)
  const help = useRef<HTMLDialogElement>(null)
  const isPrinting = usePrinting()
  const showHelp = useCallback(() => help.current?.showModal(), [])
  useShortcuts(settings.keys, run, showHelp)
  useEffect(() => prepare(run), [run])
  if (isPrinting) return <PrintView run={run} signing={signing} />
  return (
    <>
      <a class="skip" href={`#/${route.view}`} onClick={focusMain}>
        Skip to content
      </a>
      <PageHeader run={run} route={route} settings={settings} change={change} showHelp={showHelp} />
      <main id="main" tabIndex={-1} class={`view ${route.view}`}>
        <ErrorBoundary key={route.view}>
          <ViewOf route={route} run={run} baseline={baseline} setBaseline={setBaseline} times={times} />
        </ErrorBoundary>
      </main>
      <HelpDialog dialog={help} settings={settings} change={change} />
    </>
  )
}

interface ViewProps extends Omit<AppProps, 'signing'> {
  route: Route
  setBaseline: (run: LoadedRun | undefined) => void
}

function ViewOf({ route, run, baseline, setBaseline, times }: ViewProps) {
  if (route.view === 'failures') return <FailuresView run={run} route={route} />
  if (route.view === 'rows') return <RowsView run={run} route={route} />
  if (route.view === 'rules') return <RulesView run={run} route={route} />
  if (route.view === 'compare') {
    return <CompareView run={run} baseline={baseline} setBaseline={setBaseline} route={route} times={times} />
  }
  return <SummaryView run={run} />
}

function focusMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** Rows that are printed with their evidence. */
const printedInFull = 50

/** Unpacks the rows to print, because a printer does not wait, and prepares the search, when the page is idle. */
function prepare(run: LoadedRun): void {
  const failed = run.rows.filter(isFailure).slice(0, printedInFull)
  // The view of a row reports errors of unpacking.
  setTimeout(() => void Promise.allSettled(failed.map((row) => run.details(row))))
  setTimeout(() => prepareSearch(run.rows))
}

/** The change is rendered synchronously: a printer does not wait. */
function usePrinting(): boolean {
  // Printing can begin before the page is unpacked.
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const paper = matchMedia('print')
    const follow = () => renderNow(() => setPrinting(paper.matches))
    const begin = () => renderNow(() => setPrinting(true))
    const end = () => renderNow(() => setPrinting(false))
    paper.addEventListener('change', follow)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    // Printing can begin before this effect runs.
    if (paper.matches) begin()
    return () => {
      paper.removeEventListener('change', follow)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

function renderNow(change: () => void): void {
  const usual = options.debounceRendering
  options.debounceRendering = (render) => render()
  change()
  if (usual) options.debounceRendering = usual
  else delete options.debounceRendering
}
