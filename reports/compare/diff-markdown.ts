import { code, inText } from '../formats/markdown-text.js'
import {
  type ChangeGroup,
  type Comparison,
  changeGroups,
  changeLists,
  regressionsInWords,
} from '../summary/compare-runs.js'
import type { ComparedRow, ComparedRun } from '../summary/compared-run.js'
import { cut } from '../wording/hostile-text.js'
import { judgedBy } from '../wording/run-text.js'
import { count, duration, instant } from '../wording/words.js'
import type { DiffOptions } from './diff-console.js'

const causesPerList = 20
const rowsPerCause = 10

export function diffMarkdown(
  { header: before }: ComparedRun,
  { header: after }: ComparedRun,
  found: Comparison,
  { times = false }: DiffOptions = {},
): string {
  const lines = [
    `## ${found.regressions > 0 ? '✗' : '✓'} ${regressionsInWords(found)}`,
    '',
    `Run ${code(after.run)} (${inText(cut(instant(after.startedAt), 100))}), compared with ${code(before.run)} (${inText(cut(instant(before.startedAt), 100))}): ` +
      `${count(found.unchanged, 'row')} unchanged.`,
    '',
    `Profile ${code(judgedBy(after))}, before ${code(judgedBy(before))}.`,
    '',
    ...found.settings.map(({ name, before: old, after: now }) => `- **${name} differs**: ${code(old)} → ${code(now)}`),
    '',
  ]
  for (const [list, title] of changeLists) {
    const groups = list === 'changedTiming' && !times ? [] : changeGroups(found, list)
    if (groups.length === 0) continue
    const rows = groups.reduce((sum, { changes }) => sum + changes.length, 0)
    lines.push(`### ${title}: ${rows}`, '')
    lines.push(...groups.slice(0, causesPerList).flatMap((group) => groupLines(group, list)))
    if (groups.length > causesPerList) lines.push(`- and ${count(groups.length - causesPerList, 'more cause')}`)
    lines.push('')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function groupLines({ verdicts, cause, changes }: ChangeGroup, list: string): string[] {
  const why = cause === '' ? '' : `: ${inText(cut(cause, 300))}`
  const more = changes.length - rowsPerCause
  return [
    `- ${changes.length}× ${inText(cut(verdicts, 300))}${why}`,
    ...changes.slice(0, rowsPerCause).map(({ id, before, after }) => `  - ${code(id)}${timesOf(list, before, after)}`),
    ...(more > 0 ? [`  - and ${count(more, 'more row')}`] : []),
  ]
}

const timesOf = (list: string, before?: ComparedRow, after?: ComparedRow): string =>
  list === 'changedTiming' && before && after
    ? `: ${duration(before.milliseconds)} → ${duration(after.milliseconds)}`
    : ''
