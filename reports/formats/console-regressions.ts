import { createColors } from '../../lib/colors.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunRecord } from '../../record/types/record.js'
import { type Comparison, regressionsInWords, rowsOf } from '../summary/compare-runs.js'
import type { ComparedRun } from '../summary/compared-run.js'
import { failureGroups } from '../summary/failure-groups.js'
import { visibleLine } from '../wording/hostile-text.js'
import { count } from '../wording/words.js'
import { consoleFailures } from './console-failures.js'

const namedRows = 10

/** The regressions first; known failures take one line. */
export function consoleRegressions(
  { header: earlier }: ComparedRun,
  record: RunRecord,
  found: Comparison,
  { color }: { color: boolean },
): string {
  const { red, green, bold } = createColors(color)
  const { knownFailures, newlyFailing, noLongerJudged, regressions } = found
  const paint = regressions > 0 ? red : green
  const lines = [
    bold(paint(visibleLine(`${regressionsInWords(found)}, compared with ${earlier.run} (${earlier.startedAt})`))),
    '',
  ]
  if (newlyFailing.length > 0) lines.push(consoleFailures({ ...record, rows: rowsOf(record, newlyFailing) }, { color }))
  if (noLongerJudged.length > 0) {
    const more = noLongerJudged.length - namedRows
    lines.push(
      red(bold(`✗ ${count(noLongerJudged.length, 'row is', 'rows are')} no longer judged`)),
      ...noLongerJudged.slice(0, namedRows).map(({ id }) => `  ${visibleLine(id)}`),
      ...(more > 0 ? [`  and ${count(more, 'more row')}`] : []),
      '',
    )
  }
  if (knownFailures.length > 0) {
    const causes = failureGroups(rowsOf(record, knownFailures), record.header, rulesOf).length
    lines.push(`${count(knownFailures.length, 'known failure')} in ${count(causes, 'cause')}: see the reports`, '')
  }
  return lines.join('\n')
}
