import picocolors from 'picocolors'
import type { RunRecord, RunRow } from '../../record/record.js'
import { cut, visibleLine } from '../hostile-text.js'
import { judgedBy } from '../judged-by.js'
import { reasonOf } from '../reason.js'
import { isFailure } from '../rows.js'
import { count, duration } from '../words.js'
import { changeLines } from './change-lines.js'
import { type Comparison, changeLists } from './compare-runs.js'

type Colors = ReturnType<typeof picocolors.createColors>

/** What is new between two runs, for a terminal: what was not alike, each list of changes, and the conclusion. */
export function diffConsole(
  { header: before }: RunRecord,
  { header: after }: RunRecord,
  found: Comparison<RunRow>,
  { color }: { color: boolean },
): string {
  const colors = picocolors.createColors(color)
  const lines = [
    `${visibleLine(before.run)} (${before.startedAt}) -> ${visibleLine(after.run)} (${after.startedAt})`,
    `by profile ${visibleLine(judgedBy(before))} -> ${visibleLine(judgedBy(after))}`,
  ]
  for (const setting of found.settings) {
    const { name, before: old, after: now } = setting
    lines.push(colors.yellow(`! ${name} differs: ${visibleLine(old)} -> ${visibleLine(now)}`))
  }
  for (const [list, title] of changeLists) {
    const changes = changeLines(found, list)
    if (changes.length === 0) continue
    lines.push('', colors.bold(`${title}: ${changes.length}`))
    for (const { id, before: old, after: now } of changes) {
      lines.push(`  ${verdictsOf(old, now, colors)}  ${visibleLine(id)}${timesOf(list, old, now)}`)
      if (now && now.verdict !== 'pass') lines.push(colors.dim(`      ${visibleLine(cut(reasonOf(now), 300))}`))
    }
  }
  const regressions = found.newlyFailing.length
  const conclusion = regressions > 0 ? colors.red(count(regressions, 'regression')) : colors.green('no regression')
  return [...lines, '', `${colors.bold(conclusion)}, ${count(found.unchanged, 'row')} as before`, ''].join('\n')
}

function verdictsOf(before: RunRow | undefined, after: RunRow | undefined, colors: Colors): string {
  const paint = (row: RunRow) => (isFailure(row) ? colors.red(row.verdict) : row.verdict)
  if (!before || !after || before.verdict === after.verdict)
    return [after ?? before]
      .flatMap((row) => row ?? [])
      .map(paint)
      .join('')
  return `${paint(before)} -> ${paint(after)}`
}

function timesOf(list: string, before: RunRow | undefined, after: RunRow | undefined): string {
  if (list !== 'changedTiming' || !before || !after) return ''
  return `  ${duration(before.milliseconds)} -> ${duration(after.milliseconds)}`
}
