/** The page of the HTML report: unpacks the run that stands in the file and shows it. */
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
import { render } from 'preact'
import type { Signing } from '../signing.js'
import { App } from './app.js'
import { unpackRun } from './loaded-run.js'
import { showHostileText } from './show-hostile-text.js'

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
