import type { RefObject } from 'preact'
import { isFailure } from '../../wording/rows.js'
import { judgedBy, textInWords } from '../../wording/run-text.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { OutcomeSign } from '../state/outcome.js'
import { addressOf, type Route, type View } from '../state/route.js'
import { type Settings, themes } from '../state/settings.js'
import { shortcuts } from '../state/shortcuts.js'

interface PageHeaderProps {
  run: LoadedRun
  route: Route
  settings: Settings
  change: (change: Partial<Settings>) => void
  showHelp: () => void
}

export function PageHeader({ run, route, settings, change, showHelp }: PageHeaderProps) {
  const { header, conclusion, rows } = run
  const text = textInWords(header)
  const parts: [view: View, name: string, count?: number][] = [
    ['summary', 'Summary'],
    ['failures', 'Failures', rows.filter(isFailure).length],
    ['rows', 'Rows', rows.length],
    ['rules', 'Rules', header.rules.length],
  ]
  return (
    <header class="page-header">
      <a class="skip" href={`#/${route.view}`} onClick={focusMain}>
        Skip to content
      </a>
      <div class="title-line">
        <OutcomeSign conclusion={conclusion} />
        <div>
          <h1>Conformance report</h1>
          <p class="muted">
            {header.target.url} · profile {judgedBy(header)}
            {text !== undefined && ` · ${text}`}
          </p>
        </div>
        <div class="tools">
          <button type="button" onClick={() => print()}>
            Print
          </button>
          <button type="button" onClick={showHelp}>
            Keys
          </button>
          <ThemeChoice settings={settings} change={change} />
        </div>
      </div>
      <nav aria-label="Views">
        <ul>
          {parts.map(([view, name, count]) => (
            <li key={view}>
              <a href={addressOf({ view })} aria-current={route.view === view ? 'page' : undefined}>
                {name}
                {count !== undefined && <span class="count">{count}</span>}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}

function focusMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function ThemeChoice({ settings, change }: Pick<PageHeaderProps, 'settings' | 'change'>) {
  return (
    <fieldset class="segments">
      <legend class="hidden">Colors</legend>
      {themes.map((theme) => (
        <label key={theme}>
          <input type="radio" name="theme" checked={settings.theme === theme} onChange={() => change({ theme })} />
          <span>{theme}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface HelpDialogProps {
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
