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
  /** Whether a comparison tells times from the beginning. */
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
        Skip to the content
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

/** Rows that are printed with their evidence; beyond these a reader has seen the pattern. */
const printedInFull = 50

/** What will be searched, and what will be printed (a printer does not wait), as soon as the page has nothing else to do. */
function prepare(run: LoadedRun): void {
  const failed = run.rows.filter(isFailure).slice(0, printedInFull)
  // What cannot be unpacked is told where its row is opened.
  setTimeout(() => void Promise.allSettled(failed.map((row) => run.details(row))))
  setTimeout(() => prepareSearch(run.rows))
}

/** Whether the page is being printed. The change is rendered at once: the printer takes what it finds. */
function usePrinting(): boolean {
  // Whoever prints does not wait for the page to be unpacked.
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const paper = matchMedia('print')
    const follow = () => atOnce(() => setPrinting(paper.matches))
    const begin = () => atOnce(() => setPrinting(true))
    const end = () => atOnce(() => setPrinting(false))
    paper.addEventListener('change', follow)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    // It may have begun between the first rendering and here.
    if (paper.matches) begin()
    return () => {
      paper.removeEventListener('change', follow)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

function atOnce(change: () => void): void {
  const usual = options.debounceRendering
  options.debounceRendering = (render) => render()
  change()
  if (usual) options.debounceRendering = usual
  else delete options.debounceRendering
}
