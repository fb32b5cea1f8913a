import { Fragment, options, render } from 'preact'
import type { RunFacts } from '../summary/compared-run.js'
import { visible } from '../wording/hostile-text.js'
import { type LoadedRun, unpackBaseline, unpackRun } from './state/loaded-run.js'
import './theme.css'
import './layout.css'
import './controls.css'
import './tables.css'
import './parts.css'
import './summary.css'
import './row-list.css'
import './row.css'
import './compare.css'
import './print.css'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { ErrorBoundary } from './state/error-boundary.js'
import { type Route, useRoute } from './state/route.js'
import { prepareSearch } from './state/row-filter.js'
import { useSettings } from './state/settings.js'
import { useShortcuts } from './state/shortcuts.js'
import { FailuresView } from './views/failures-view.js'
import { HelpDialog, PageHeader } from './views/page-header.js'
import { RowsView } from './views/rows-view.js'
import { RulesView } from './views/rules-view.js'
import { SummaryView } from './views/summary-view.js'

const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return visible(value)
  return Array.isArray(value) ? value.map(shown) : value
}

/** Prints control characters in all text and attributes as code points, in one place for all views. */
function escapeAllText(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    // Text can also be a child of a fragment.
    if (typeof vnode.type === 'string' || vnode.type === Fragment) {
      // A form field contains the input of the reader.
      const own = vnode.type === 'input' ? ['value'] : []
      const props: Record<string, unknown> = vnode.props
      for (const [name, value] of Object.entries(props)) if (!own.includes(name)) props[name] = shown(value)
    }
    before?.(vnode)
  }
}

async function start(root: HTMLElement): Promise<void> {
  escapeAllText()
  try {
    const run = await unpackRun()
    if (!run) throw new Error('the file contains no run')
    render(<App run={run} baseline={await unpackBaseline()} />, root)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    render(<p role="alert">This report is damaged: {why}. Create it again from the run record.</p>, root)
  }
}

const root = document.getElementById('page')
if (root) void start(root) // start handles its errors

interface AppProps {
  run: LoadedRun
  baseline: RunFacts | undefined
}

function App({ run, baseline }: AppProps) {
  const route = useRoute()
  const [settings, change] = useSettings()
  const help = useRef<HTMLDialogElement>(null)
  const showHelp = useCallback(() => help.current?.showModal(), [])
  useShortcuts(settings.keys, run, showHelp)
  useEffect(() => void setTimeout(() => prepareSearch(run.rows)), [run])
  return (
    <>
      <PageHeader run={run} route={route} settings={settings} change={change} showHelp={showHelp} />
      <main id="main" tabIndex={-1} class={`view ${route.view}`}>
        <ErrorBoundary key={route.view}>
          <ViewOf route={route} run={run} baseline={baseline} />
        </ErrorBoundary>
      </main>
      <HelpDialog dialog={help} settings={settings} change={change} />
    </>
  )
}

interface ViewProps extends AppProps {
  route: Route
}

function ViewOf({ route, run, baseline }: ViewProps) {
  if (route.view === 'failures') return <FailuresView run={run} baseline={baseline} route={route} />
  if (route.view === 'rows') return <RowsView run={run} route={route} />
  if (route.view === 'rules') return <RulesView run={run} route={route} />
  return <SummaryView run={run} baseline={baseline} />
}
