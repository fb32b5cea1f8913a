import type { RunRecord, RunRow } from '../../record/record.js'
import { cut } from '../hostile-text.js'
import { judgedBy } from '../judged-by.js'
import { code, inText } from '../markdown-text.js'
import { reasonOf } from '../reason.js'
import { count, duration, instant } from '../words.js'
import { type ChangeListName, changeLines } from './change-lines.js'
import { type Comparison, changeLists } from './compare-runs.js'

/** Rows that are named of one list. */
const named = 50

/** What is new between two runs, as Markdown for a CI job or a pull request. */
export function diffMarkdown(
  { header: before }: RunRecord,
  { header: after }: RunRecord,
  found: Comparison<RunRow>,
): string {
  const regressions = found.newlyFailing.length
  const lines = [
    `## ${regressions > 0 ? `✗ ${count(regressions, 'regression')}` : '✓ No regression'}`,
    '',
    `${code(after.run)} of ${instant(after.startedAt)} against ${code(before.run)} of ${instant(before.startedAt)}; ` +
      `${count(found.unchanged, 'row')} as before.`,
    '',
    `By profile ${code(judgedBy(after))} against ${code(judgedBy(before))}.`,
    '',
    ...found.settings.map(({ name, before: old, after: now }) => `- **${name} differs**: ${code(old)} → ${code(now)}`),
    '',
  ]
  for (const [list, title] of changeLists) {
    const changes = changeLines(found, list)
    if (changes.length === 0) continue
    lines.push(`### ${title}: ${changes.length}`, '')
    lines.push(...changes.slice(0, named).map(({ id, before: old, after: now }) => lineOf(list, id, old, now)))
    if (changes.length > named) lines.push(`- and ${count(changes.length - named, 'more row')}`)
    lines.push('')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function lineOf(list: ChangeListName, id: string, before?: RunRow, after?: RunRow): string {
  const verdicts = [...new Set([before?.verdict, after?.verdict])].filter((verdict) => verdict !== undefined)
  const times =
    list === 'changedTiming' && before && after
      ? `: ${duration(before.milliseconds)} → ${duration(after.milliseconds)}`
      : ''
  const reason = after && after.verdict !== 'pass' && times === '' ? `: ${inText(cut(reasonOf(after), 300))}` : ''
  return `- ${verdicts.join(' → ')} ${code(id)}${times}${reason}`
}
