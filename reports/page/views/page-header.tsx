/** The header of every view: conclusion, target, navigation and settings. */
import { judgedBy, textInWords } from '../../wording/judged-by.js'
import { isFailure } from '../../wording/rows.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { OutcomeSign } from '../state/outcome.js'
import { addressOf, type Route, type View } from '../state/route.js'
import { type Settings, themes } from '../state/settings.js'

export interface PageHeaderProps {
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
    ['compare', 'Compare'],
  ]
  return (
    <header class="page-header">
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
