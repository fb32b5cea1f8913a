import { type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { html, type Markup } from './html-template.js'

/** The numbers stand beside it, so screen readers skip it. */
export function verdictBar(counts: Partial<VerdictCounts>): Markup {
  const total = verdicts.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0)
  let before = 0
  const parts = verdicts.flatMap((verdict) => {
    const width = (100 * (counts[verdict] ?? 0)) / Math.max(1, total)
    const x = before
    before += width
    return width > 0 ? [html`<rect class="${verdict}" x="${percent(x)}" width="${percent(width)}" height="100%"/>`] : []
  })
  return html`<svg class="bar" aria-hidden="true">${parts}</svg>`
}

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`
