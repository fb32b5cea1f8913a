import { visibleLine } from '../wording/hostile-text.js'

/** One line without markup, links, mentions or HTML. */
export function inText(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_{}[\]()#+!|~@$:.-]/g, (character) => (/[:.()+-]/.test(character) ? character : `\\${character}`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/(?<=\w)(?=:\/\/)|(?<=\bwww)(?=\.)/gi, '\u200b')
}

/** The fence is longer than any sequence of backticks in the text. */
export function code(text: string): string {
  const shown = visibleLine(text).replaceAll('|', '¦')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 || shown.trim() === '' ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

export const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
