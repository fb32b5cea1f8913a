import { Fragment, options, render } from 'preact'
import { visible } from '../wording/hostile-text.js'
import { App } from './app.js'
import { unpackRun } from './state/loaded-run.js'
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
    const run = await unpackRun('run')
    if (!run) throw new Error('the file contains no run')
    const times = root.dataset['times'] === 'true'
    render(<App run={run} baseline={await unpackRun('baseline')} times={times} />, root)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    render(<p role="alert">This report is damaged: {why}. Create it again from the run record.</p>, root)
  }
}

const root = document.getElementById('page')
if (root) void start(root) // start handles its errors
