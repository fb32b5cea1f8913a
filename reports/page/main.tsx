/** The page of the HTML report: unpacks the run that stands in the file and shows it. */
import { options, render } from 'preact'
import { visible } from '../wording/hostile-text.js'
import type { Signing } from '../wording/signing.js'
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

/**
 * From now on every text and attribute that gets into the page has its control characters and reordering marks written
 * out. It stands where everything passes, because a single view that forgot it would be enough.
 */
function showHostileText(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') {
      // The values of form fields are what the reader typed.
      const own = vnode.type === 'input' ? ['value'] : []
      const props: Record<string, unknown> = vnode.props
      for (const [name, value] of Object.entries(props)) if (!own.includes(name)) props[name] = shown(value)
    }
    before?.(vnode)
  }
}

async function start(root: HTMLElement): Promise<void> {
  showHostileText()
  try {
    const run = await unpackRun('run')
    if (!run) throw new Error('there is no run in it')
    const signing = JSON.parse(root.dataset['signing'] ?? 'null') as Signing // our own page, in the same file
    const times = root.dataset['times'] === 'true'
    render(<App run={run} baseline={await unpackRun('baseline')} signing={signing} times={times} />, root)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    render(<p role="alert">This report cannot be shown: {why}. The run record beside it has everything.</p>, root)
  }
}

const root = document.getElementById('page')
if (root) void start(root) // start answers for its own errors
