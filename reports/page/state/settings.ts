import { useState } from 'preact/hooks'

export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

export interface Settings {
  theme: Theme
  /** Dictation software requires single-key shortcuts off. */
  keys: boolean
}

const storageKey = 'conformance-report'

/** Some browsers store no settings for local files. */
function load(): Settings {
  try {
    const { theme, keys }: { theme?: unknown; keys?: unknown } = Object(
      JSON.parse(localStorage.getItem(storageKey) ?? '{}'),
    )
    return { theme: themes.find((known) => known === theme) ?? 'auto', keys: keys !== false }
  } catch {
    return { theme: 'auto', keys: true }
  }
}

function keep(settings: Settings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings))
  } catch {
    // The settings remain until the page closes.
  }
}

function show({ theme }: Settings): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useSettings(): [Settings, (change: Partial<Settings>) => void] {
  const [settings, setSettings] = useState(() => {
    const loaded = load()
    show(loaded)
    return loaded
  })
  const change = (part: Partial<Settings>) => {
    const next = { ...settings, ...part }
    keep(next)
    show(next)
    setSettings(next)
  }
  return [settings, change]
}
