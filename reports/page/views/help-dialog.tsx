/** The keyboard shortcuts, with a switch. */
import type { RefObject } from 'preact'
import type { Settings } from '../state/settings.js'
import { shortcuts } from '../state/shortcuts.js'

export interface HelpDialogProps {
  dialog: RefObject<HTMLDialogElement | null>
  settings: Settings
  change: (change: Partial<Settings>) => void
}

export function HelpDialog({ dialog, settings, change }: HelpDialogProps) {
  return (
    <dialog ref={dialog} aria-labelledby="help">
      <h2 id="help">Keys</h2>
      <dl class="keys">
        {shortcuts.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        <label>
          <input type="checkbox" checked={settings.keys} onChange={() => change({ keys: !settings.keys })} /> Single-key
          shortcuts
        </label>
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
