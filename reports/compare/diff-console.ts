import { type Colors, createColors } from '../../lib/colors.js'
import { nonConforming } from '../../record/types/verdict.js'
import {
  type ChangeGroup,
  type Comparison,
  changeGroups,
  changeLists,
  regressionsInWords,
} from '../summary/compare-runs.js'
import type { ComparedRow, ComparedRun } from '../summary/compared-run.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { judgedBy } from '../wording/run-text.js'
import { count, duration } from '../wording/words.js'

const rowsPerCause = 10

export interface DiffOptions {
  /** Also report changed timing. */
  times?: boolean
}

/** `3 regressions, 179 known failures, compared with RUN (TIME)`: the first line about a run with a baseline. */
export function comparedWith(
  { header: earlier }: ComparedRun,
  found: Comparison,
  { color }: { color: boolean },
): string {
  const { red, green, bold } = createColors(color)
  const paint = found.regressions > 0 ? red : green
  return bold(paint(visibleLine(`${regressionsInWords(found)}, compared with ${earlier.run} (${earlier.startedAt})`)))
}

export function diffConsole(
  { header: before }: ComparedRun,
  { header: after }: ComparedRun,
  found: Comparison,
  { color, times = false }: DiffOptions & { color: boolean },
): string {
  const colors = createColors(color)
  const lines = [
    `${visibleLine(before.run)} (${before.startedAt}) -> ${visibleLine(after.run)} (${after.startedAt})`,
    `profile ${visibleLine([...new Set([judgedBy(before), judgedBy(after)])].join(' -> '))}`,
  ]
  for (const setting of found.settings) {
    const { name, before: old, after: now } = setting
    lines.push(colors.yellow(`! ${name} differs: ${visibleLine(old)} -> ${visibleLine(now)}`))
  }
  for (const [list, title] of changeLists) {
    const groups = list === 'changedTiming' && !times ? [] : changeGroups(found, list)
    if (groups.length === 0) continue
    const rows = groups.reduce((sum, { changes }) => sum + changes.length, 0)
    lines.push('', colors.bold(`${title}: ${rows}`), ...groups.flatMap((group) => groupLines(group, list, colors)))
  }
  const paint = found.regressions > 0 ? colors.red : colors.green
  const conclusion = paint(regressionsInWords(found))
  return [...lines, '', `${colors.bold(conclusion)}, ${count(found.unchanged, 'row')} unchanged`, ''].join('\n')
}

function groupLines({ verdicts, cause, changes }: ChangeGroup, list: string, colors: Colors): string[] {
  const isBad = nonConforming.some((verdict) => verdicts.endsWith(verdict))
  const why = cause === '' ? '' : `  ${visibleLine(cut(cause, 300))}`
  const more = changes.length - rowsPerCause
  return [
    `  ${changes.length}× ${isBad ? colors.red(verdicts) : verdicts}${why}`,
    ...changes
      .slice(0, rowsPerCause)
      .map(({ id, before, after }) => `      ${visibleLine(id)}${timesOf(list, before, after)}`),
    ...(more > 0 ? [colors.dim(`      and ${count(more, 'more row')}`)] : []),
  ]
}

function timesOf(list: string, before: ComparedRow | undefined, after: ComparedRow | undefined): string {
  if (list !== 'changedTiming' || !before || !after) return ''
  return `  ${duration(before.milliseconds)} -> ${duration(after.milliseconds)}`
}
