import type { RunRecord } from '../../record/types/record.js'
import { html } from '../markup/html-template.js'
import { type Conclusion, conclude } from '../summary/conclusion.js'

const colors: Record<Conclusion['outcome'], string> = {
  conforming: '#14633a',
  'selection passed': '#3a5f7d',
  'not conforming': '#a81e17',
  incomplete: '#7a4a00',
}

/** Pixels: estimated width of one letter. */
const letter = 7
const padding = 8

export function badgeReport(record: RunRecord): string {
  const { outcome, inWords } = conclude(record)
  const { profile, judgedAgain, target } = record.header
  const insecure = target.connection?.insecure ? ', insecure' : ''
  const name = `conformance ${profile.name}`.slice(0, 60) + (judgedAgain ? ', judged again' : '') + insecure
  return badgeOf(name, inWords, outcome)
}

export function badgeOf(name: string, value: string, outcome: Conclusion['outcome']): string {
  const first = name.length * letter + 2 * padding
  const second = value.length * letter + 2 * padding
  const label = `${name}: ${value}`
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="22" role="img" aria-label="${label}">
<title>${label}</title>
<rect width="${first + second}" height="22" rx="4" fill="#3d4757"/>
<path d="M${first} 0h${second - 4}a4 4 0 0 1 4 4v14a4 4 0 0 1 -4 4h-${second - 4}z" fill="${colors[outcome]}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12" text-anchor="middle">
<text x="${first / 2}" y="15" textLength="${first - 2 * padding}">${name}</text>
<text x="${first + second / 2}" y="15" textLength="${second - 2 * padding}">${value}</text>
</g>
</svg>
`.text
}
