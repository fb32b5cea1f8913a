import type { RunRecord, RunRow } from '../../record/types/record.js'
import { code, inText } from '../formats/markdown-text.js'
import { cut } from '../wording/hostile-text.js'
import { judgedBy } from '../wording/judged-by.js'
import { count, duration, instant } from '../wording/words.js'
import { type ChangeGroup, changeGroups } from './change-groups.js'
import { type Comparison, changeLists } from './compare-runs.js'
import type { DiffOptions } from './diff-console.js'

/** Causes that are named of one list, and rows of one cause. */
const namedCauses = 20
const namedRows = 10

/** What is new between two runs, as Markdown for a CI job or a pull request. */
export function diffMarkdown(
  { header: before }: RunRecord,
  { header: after }: RunRecord,
  found: Comparison<RunRow>,
  { times = false }: DiffOptions = {},
): string {
  const { regressions } = found
  const lines = [
    `## ${regressions > 0 ? `✗ ${count(regressions, 'regression')}` : '✓ No regression'}`,
    '',
    `${code(after.run)} of ${inText(cut(instant(after.startedAt), 100))} against ${code(before.run)} of ${inText(cut(instant(before.startedAt), 100))}; ` +
      `${count(found.unchanged, 'row')} as before.`,
    '',
    `By profile ${code(judgedBy(after))} against ${code(judgedBy(before))}.`,
    '',
    ...found.settings.map(({ name, before: old, after: now }) => `- **${name} differs**: ${code(old)} → ${code(now)}`),
    '',
  ]
  for (const [list, title] of changeLists) {
    const groups = list === 'changedTiming' && !times ? [] : changeGroups(found, list)
    if (groups.length === 0) continue
    const rows = groups.reduce((sum, { changes }) => sum + changes.length, 0)
    lines.push(`### ${title}: ${rows}`, '')
    lines.push(...groups.slice(0, namedCauses).flatMap((group) => groupLines(group, list)))
    if (groups.length > namedCauses) lines.push(`- and ${count(groups.length - namedCauses, 'more cause')}`)
    lines.push('')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function groupLines({ verdicts, cause, changes }: ChangeGroup<RunRow>, list: string): string[] {
  const why = cause === '' ? '' : `: ${inText(cut(cause, 300))}`
  const more = changes.length - namedRows
  return [
    `- ${changes.length}× ${inText(cut(verdicts, 300))}${why}`,
    ...changes.slice(0, namedRows).map(({ id, before, after }) => `  - ${code(id)}${timesOf(list, before, after)}`),
    ...(more > 0 ? [`  - and ${count(more, 'more row')}`] : []),
  ]
}

const timesOf = (list: string, before?: RunRow, after?: RunRow): string =>
  list === 'changedTiming' && before && after
    ? `: ${duration(before.milliseconds)} → ${duration(after.milliseconds)}`
    : ''
