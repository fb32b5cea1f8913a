import { createColors } from '../../lib/colors.js'
import type { Location } from '../suite/suite.js'

export interface Finding {
  location: Location
  message: string
  hint?: string
  /** Empty if the location has no line. */
  sourceLine: string
  /** The suite is usable. */
  isWarning?: true
}

/** One mistake can cause thousands of findings. */
const maxShown = 100

/** Columns; a longer line is cut around the location. */
const maxWidth = 140

/** As compilers print errors, with a caret. */
export function formatFindings(findings: readonly Finding[], { color }: { color: boolean }): string {
  const paint = createColors(color)
  const more = findings.length - maxShown
  const shown = findings.slice(0, maxShown)
  const blocks = shown.map(({ location, message, hint, sourceLine, isWarning }) => {
    const where = paint.bold(`${location.file}:${location.line}:${location.column}:`)
    const severity = isWarning ? paint.yellow('warning:') : paint.red('error:')
    const lines = [`${where} ${severity} ${message}`]
    if (sourceLine !== '') {
      const number = String(location.line)
      const { text, column } = excerpt(sourceLine, location.column)
      lines.push(`  ${paint.dim(`${number} |`)} ${text}`)
      lines.push(`  ${paint.dim(`${' '.repeat(number.length)} |`)} ${' '.repeat(column - 1)}${paint.green('^')}`)
    }
    if (hint !== undefined) lines.push(`  ${paint.cyan('hint:')} ${hint}`)
    return lines.join('\n')
  })
  return [...blocks, ...(more > 0 ? [`... and ${more} more`] : [])].join('\n\n')
}

/** Each character takes one column. */
function excerpt(line: string, column: number): { text: string; column: number } {
  const plain = line.replace(/\p{C}/gu, (character) => ' '.repeat(character.length))
  if (plain.length <= maxWidth) return { text: plain, column }
  const start = Math.max(0, Math.min(column - maxWidth / 2, plain.length - maxWidth))
  const before = start > 0 ? '... ' : ''
  const after = start + maxWidth < plain.length ? ' ...' : ''
  return { text: `${before}${plain.slice(start, start + maxWidth)}${after}`, column: column - start + before.length }
}
