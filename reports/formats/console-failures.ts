import { type Colors, createColors } from '../../lib/colors.js'
import { firstOf } from '../../lib/first-of.js'
import type { RunRecord } from '../../record/types/record.js'
import { divergencesBehind } from '../summary/cause.js'
import { type FailureCause, failureCauses } from '../summary/failure-causes.js'
import { failureText } from '../wording/failure-text.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import { count } from '../wording/words.js'

/** Together with the summary at most 200 lines. */
const mostLines = 110
/** Lines after which a cause has no row in full. */
const linesInFull = 80
const longestRow = 30

const longestTitle = 200
/** Contains both values of a difference. */
const longestDifference = 600
const differencesPerCause = 3

/** The largest cause first; the first row of each cause in full if it fits. */
export function consoleFailures({ header, rows }: RunRecord, { color }: { color: boolean }): string {
  const colors = createColors(color)
  const causes = failureCauses(inSuiteOrder(rows), header)
  const lines: string[] = []
  for (const [index, cause] of causes.entries()) {
    const head = headLines(cause, colors)
    const full = [...head, '', ...rowLines(cause, header, color), '']
    const isRoom = !isCompleteInHead(cause) && (index === 0 || lines.length + full.length <= linesInFull)
    const own = isRoom ? full : [...head, `  for example ${visibleLine(cause.rows[0]?.id ?? '')}`, '']
    if (lines.length + own.length > mostLines) {
      const left = causes.slice(index)
      const inThem = left.reduce((sum, { rows: some }) => sum + some.length, 0)
      lines.push(`... ${count(left.length, 'more cause')} with ${count(inThem, 'row')}: see the reports`, '')
      break
    }
    lines.push(...own)
  }
  return lines.join('\n')
}

function headLines({ title, tag, differences, rows, isBlocked }: FailureCause, { red, bold, dim }: Colors): string[] {
  const what = tag === '' ? (rows[0]?.verdict ?? '') : isBlocked ? `blocked; ${tag}` : tag
  return [
    `${red(bold(`✗ ${count(rows.length, 'row')}`))}  ${bold(visibleLine(cut(title, longestTitle)))}  ${dim(visibleLine(what))}`,
    ...firstOf(
      differences.map(({ text, rows: found }) => `  ${found}× ${visibleLine(cut(text, longestDifference))}`),
      differencesPerCause,
      (left) => `  and ${count(left, 'more difference')}`,
    ),
  ]
}

const isCompleteInHead = ({ differences, rows: [first] }: FailureCause): boolean =>
  differences.length === 0 && first?.evidence.length === 0

function rowLines({ rows, divergence }: FailureCause, header: RunRecord['header'], color: boolean): string[] {
  const [first] = rows
  if (!first) return []
  const text = failureText(first, header, color).split('\n')
  const shown = text.length <= longestRow ? text : shortened(text)
  const others = divergencesBehind(first).filter((id) => id !== divergence)
  return [...shown, ...(others.length > 0 ? [`  see also ${visibleLine(others.join(', '))}`] : [])].map(
    (line) => `  ${line}`,
  )
}

function shortened(text: readonly string[]): string[] {
  const last = text.findLastIndex((line) => line.includes('curl -sS'))
  // Without the comments before it, a command of a deactivated user returns another rejection than the fault.
  const begin = text.findLastIndex((line, index) => index < last && line.trimStart().startsWith('# actor '))
  const end = text.slice(begin < 0 ? -2 : begin)
  const kept = Math.max(8, longestRow - end.length - 1)
  return [
    ...text.slice(0, kept),
    `    ... ${count(Math.max(0, text.length - end.length - kept), 'more line')}: see the reports`,
    ...end,
  ]
}
