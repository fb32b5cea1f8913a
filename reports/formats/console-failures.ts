import { type Colors, createColors } from '../../lib/colors.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { causeInWords, divergencesBehind } from '../summary/cause.js'
import { type Cause, type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { failureText } from '../wording/failure-text.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import { count } from '../wording/words.js'

type Group = FailureGroup<RunRow>

/** Together with the summary at most 200 lines. */
const mostLines = 110
/** Lines after which a group has no row in full. */
const linesInFull = 80
const longestRow = 30

const longestTitle = 200
const longestValue = 100
const causesPerGroup = 3
const rulesPerGroup = 5

/** The largest group first; the first row of each group in full if it fits. */
export function consoleFailures({ header, rows }: RunRecord, { color }: { color: boolean }): string {
  const colors = createColors(color)
  const groups = failureGroups(inSuiteOrder(rows), header, rulesOf)
  const lines: string[] = []
  for (const [index, group] of groups.entries()) {
    const full = [...headLines(group, colors, true), '', ...rowLines(group, header, color), '']
    const isRoom = !isCompleteInHead(group) && (index === 0 || lines.length + full.length <= linesInFull)
    const own = isRoom
      ? full
      : [...headLines(group, colors, false), `  for example ${visibleLine(group.rows[0]?.id ?? '')}`, '']
    if (lines.length + own.length > mostLines) {
      const left = groups.slice(index)
      const inThem = left.reduce((sum, { rows: some }) => sum + some.length, 0)
      lines.push(`... ${count(left.length, 'more group')} with ${count(inThem, 'row')}: see the reports`, '')
      break
    }
    lines.push(...own)
  }
  return lines.join('\n')
}

/** The row in full repeats the sentence of its rule, and its difference. */
function headLines(group: Group, colors: Colors, isInFull: boolean): string[] {
  const { title, tag, divergence, statement, causes, rows } = group
  const more = causes.length - causesPerGroup
  return [
    `${colors.red(colors.bold(`✗ ${count(rows.length, 'row')}`))}  ${colors.bold(visibleLine(cut(title, longestTitle)))}  ${colors.dim(visibleLine(tag))}`,
    ...(statement === '' || (isInFull && divergence === undefined)
      ? []
      : [`  ${visibleLine(cut(statement, longestTitle))}`]),
    ...(hasOnlyTitle(group, isInFull)
      ? []
      : causes
          .slice(0, causesPerGroup)
          .map((cause) => `  ${cause.rows.length}× ${visibleLine(causeInWords(cause, longestValue))}`)),
    ...(more > 0 ? [`  and ${count(more, 'more cause')}`] : []),
    ...ruleLine(causes),
  ]
}

const isCompleteInHead = (group: Group): boolean => hasOnlyTitle(group, false) && group.rows[0]?.evidence.length === 0

const hasOnlyTitle = ({ title, causes: [first, ...others] }: Group, isInFull: boolean): boolean =>
  others.length === 0 &&
  first !== undefined &&
  (isInFull ? first.sentence : causeInWords(first, longestValue)) === title

function ruleLine(causes: readonly Cause<RunRow>[]): string[] {
  const counts = new Map<string, number>()
  for (const [rule, rows] of causes.flatMap(({ rules }) => rules)) counts.set(rule, (counts.get(rule) ?? 0) + rows)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  if (sorted.length === 0) return []
  const texts = sorted.slice(0, rulesPerGroup).map(([rule, rows]) => `${rule} (${count(rows, 'row')})`)
  const more = sorted.length - rulesPerGroup
  return [visibleLine(`  failed rules: ${texts.join(', ')}${more > 0 ? `, and ${more} more` : ''}`)]
}

function rowLines({ rows, divergence }: Group, header: RunRecord['header'], color: boolean): string[] {
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
  const end = last < 0 ? text.slice(-2) : text.slice(last - 1)
  const kept = Math.max(8, longestRow - end.length - 1)
  return [
    ...text.slice(0, kept),
    `    ... ${count(Math.max(0, text.length - end.length - kept), 'more line')}: see the reports`,
    ...end,
  ]
}
