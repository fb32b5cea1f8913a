import { Fragment, options, render } from 'preact'
import { visible } from '../wording/hostile-text.js'
import './theme.css'
import './layout.css'
import './controls.css'
import './parts.css'
import './verdict.css'
import './failures.css'
import './text-and-rules.css'
import './row-list.css'
import './row.css'
import './compare.css'
import './print.css'
import { ErrorBoundary } from './state/error-boundary.js'
import { unpackRun } from './state/loaded-run.js'
import { followRoute } from './state/route.js'
import { RowsView } from './views/rows-view.js'
import { focusMainBySkipLink, foldUntilPrint, showView } from './views/static-views.js'

const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return visible(value)
  return Array.isArray(value) ? value.map(shown) : value
}

/** Prints control characters in all text and attributes as code points, in one place for all rows. */
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

async function start(rows: HTMLElement): Promise<void> {
  escapeAllText()
  foldUntilPrint()
  focusMainBySkipLink()
  followRoute(showView)
  try {
    const packed = document.getElementById('run')?.textContent
    if (typeof packed !== 'string') throw new Error('the file contains no run')
    const run = await unpackRun(packed)
    render(
      <ErrorBoundary>
        <RowsView run={run} />
      </ErrorBoundary>,
      rows,
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    render(<p role="alert">The rows of this report are damaged: {why}. Create it again from the run record.</p>, rows)
  }
}

const rows = document.getElementById('rows')
if (rows) void start(rows) // start handles its errors
