import { useCallback, useRef } from 'preact/hooks'
import type { LoadedRun } from '../state/loaded-run.js'
import { themes, useSettings } from '../state/settings.js'
import { shortcuts, useShortcuts } from '../state/shortcuts.js'

export function Tools({ run }: { run: LoadedRun }) {
  const [settings, change] = useSettings()
  const help = useRef<HTMLDialogElement>(null)
  const showHelp = useCallback(() => help.current?.showModal(), [])
  useShortcuts(settings.keys, run, showHelp)
  return (
    <>
      <button type="button" onClick={() => print()}>
        Print
      </button>
      <button type="button" onClick={showHelp}>
        Keys
      </button>
      <fieldset class="chips">
        <legend class="hidden">Colors</legend>
        {themes.map((theme) => (
          <label key={theme}>
            <input type="radio" name="theme" checked={settings.theme === theme} onChange={() => change({ theme })} />
            <span>{theme}</span>
          </label>
        ))}
      </fieldset>
      <dialog ref={help} aria-labelledby="help">
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
            <input type="checkbox" checked={settings.keys} onChange={() => change({ keys: !settings.keys })} />{' '}
            Single-key shortcuts
          </label>
        </p>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  )
}
