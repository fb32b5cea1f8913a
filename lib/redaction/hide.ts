export type Hide = (from: number, to: number, label: string) => void

export interface Hidden {
  from: number
  to: number
  label: string
}

/** Overlapping parts are one, with the label of the first. */
export function withoutParts(text: string, parts: readonly Hidden[]): string {
  if (parts.length === 0) return text
  const merged: Hidden[] = []
  for (const part of parts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1)
    if (last && part.from < last.to) last.to = Math.max(last.to, part.to)
    else merged.push({ ...part })
  }
  const kept: string[] = []
  let done = 0
  for (const { from, to, label } of merged) {
    const begin = Math.max(done, beforeEscape(text, from))
    kept.push(text.slice(done, begin), `[redacted: ${label}]`)
    done = afterEscape(text, to)
  }
  return kept.join('') + text.slice(done)
}

const longestEscape = 6

/** Half a JSON escape breaks the line of a record. */
function beforeEscape(text: string, from: number): number {
  const begun = /(\\+)(?:u[0-9a-f]{0,3})?$/i.exec(text.slice(Math.max(0, from - 2 * longestEscape), from))
  if (!begun || (begun[1]?.length ?? 0) % 2 === 0) return from
  return from - begun[0].length + (begun[1]?.length ?? 1) - 1
}

function afterEscape(text: string, to: number): number {
  const begun = /\\+$/.exec(text.slice(Math.max(0, to - 2 * longestEscape), to))
  return (begun?.[0].length ?? 0) % 2 === 0 ? to : Math.min(text.length, to + 1)
}
