import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ErrorBoundary } from './state/error-boundary.js'
import type { LoadedRun } from './state/loaded-run.js'
import { type Route, useRoute } from './state/route.js'
import { prepareSearch } from './state/row-filter.js'
import { useSettings } from './state/settings.js'
import { useShortcuts } from './state/shortcuts.js'
import { CompareView } from './views/compare-view.js'
import { FailuresView } from './views/failures-view.js'
import { HelpDialog, PageHeader } from './views/page-header.js'
import { RowsView } from './views/rows-view.js'
import { RulesView } from './views/rules-view.js'
import { SummaryView } from './views/summary-view.js'

export interface AppProps {
  run: LoadedRun
  baseline: LoadedRun | undefined
  times: boolean
}

export function App({ run, baseline: packed, times }: AppProps) {
  const route = useRoute()
  const [settings, change] = useSettings()
  const [baseline, setBaseline] = useState(packed)
  const help = useRef<HTMLDialogElement>(null)
  const showHelp = useCallback(() => help.current?.showModal(), [])
  useShortcuts(settings.keys, run, showHelp)
  useEffect(() => void setTimeout(() => prepareSearch(run.rows)), [run])
  return (
    <>
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

interface ViewProps extends AppProps {
  route: Route
  setBaseline: (run: LoadedRun | undefined) => void
}

function ViewOf({ route, run, baseline, setBaseline, times }: ViewProps) {
  if (route.view === 'failures') return <FailuresView run={run} baseline={baseline} route={route} />
  if (route.view === 'rows') return <RowsView run={run} route={route} />
  if (route.view === 'rules') return <RulesView run={run} route={route} />
  if (route.view === 'compare') {
    return <CompareView run={run} baseline={baseline} setBaseline={setBaseline} route={route} times={times} />
  }
  return <SummaryView run={run} baseline={baseline} />
}
