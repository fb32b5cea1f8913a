/**
 * Annotations of a GitHub workflow: docs.github.com, "Workflow commands for GitHub Actions". The escapes are those of
 * @actions/core.
 */
import { firstOf } from '../../lib/first-of.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { compareRuns, regressionsInWords, rowsOf } from '../summary/compare-runs.js'
import type { ComparedRun } from '../summary/compared-run.js'
import { type FailureCause, failureCauses } from '../summary/failure-causes.js'
import { factsOf } from '../summary/run-facts.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder, isFailure } from '../wording/rows.js'
import { rerunCommand } from '../wording/shell.js'
import { count } from '../wording/words.js'

/** GitHub shows this number of errors of a step, and as many warnings and notices. */
const mostErrors = 10
const longestTitle = 200
const longestSentence = 500
/** Contains both values of a difference. */
const longestDifference = 600
const longestCommand = 1000
const longestId = 200
const differencesPerCause = 3
const rowsPerCause = 5

/**
 * One error for each of the largest causes of failures, one warning for each of those with only blocked rows, and one
 * notice with the number of the rest. With a baseline, only for regressions; known failures are counted. An empty string
 * without failures.
 */
export function githubAnnotations(record: RunRecord, baseline?: ComparedRun): string {
  const { header, rows } = record
  const found = baseline && compareRuns(baseline, factsOf(record))
  const failed = found ? rowsOf(record, found.newlyFailing) : inSuiteOrder(rows).filter(isFailure)
  const causes = failureCauses(failed, header)
  const lost = found?.noLongerJudged.map(({ id }) => id) ?? []
  const failing = causes.filter(({ isBlocked }) => !isBlocked)
  const blocked = causes.filter(({ isBlocked }) => isBlocked)
  const errors: Annotated[] = [
    ...(lost.length > 0 ? [lostRows(lost)] : []),
    ...failing.map((cause) => annotated(cause, header)),
  ]
  const warnings = blocked.map((cause) => annotated(cause, header))
  const rest = [...failing.slice(mostErrors - Math.min(1, lost.length)), ...blocked.slice(mostErrors)]
  const inRest = rest.reduce((sum, cause) => sum + cause.rows.length, 0)
  const notes = [
    ...(rest.length > 0 ? [`${count(rest.length, 'more cause')} with ${count(inRest, 'failed row')}`] : []),
    ...(found && found.knownFailures.length > 0 ? [regressionsInWords(found)] : []),
  ]
  return [
    ...errors.slice(0, mostErrors).map(([title, lines]) => annotation('error', title, lines)),
    ...warnings.slice(0, mostErrors).map(([title, lines]) => annotation('warning', title, lines)),
    ...(notes.length > 0 ? [annotation('notice', 'Conformance', [`${notes.join('; ')}: see the summary`])] : []),
  ].join('\n')
}

type Annotated = [title: string, lines: string[]]

const annotated = (cause: FailureCause, header: RunHeader): Annotated => [titleOf(cause), linesOf(cause, header)]

const titleOf = ({ title, rows, isBlocked }: FailureCause): string =>
  `${count(rows.length, isBlocked ? 'blocked row' : 'row')}: ${cut(title, longestTitle)}`

function linesOf({ title, tag, differences, rows }: FailureCause, header: RunHeader): string[] {
  const [first] = rows
  const command = first && rerunCommand(first, header)
  return [
    `${cut(title, longestSentence)}${tag === '' ? '' : ` (${cut(tag, longestTitle)})`}`,
    ...firstOf(
      differences.map(({ text, rows: found }) => `${found}× ${cut(text, longestDifference)}`),
      differencesPerCause,
      (left) => `and ${count(left, 'more difference')}`,
    ),
    rowsInWords(rows.map(({ id, verdict }) => `${cut(id, longestId)} (${verdict})`)),
    // A part of a command could do something else.
    ...(command !== undefined && command.length <= longestCommand ? [command] : []),
  ]
}

const lostRows = (ids: readonly string[]): [title: string, lines: string[]] => [
  `${count(ids.length, 'row is', 'rows are')} no longer judged`,
  [rowsInWords(ids.map((id) => cut(id, longestId)))],
]

const rowsInWords = (names: readonly string[]): string =>
  `rows: ${firstOf(names, rowsPerCause, (left) => `and ${left} more`).join(', ')}`

/** One line of output; the message has several. */
const annotation = (kind: 'error' | 'warning' | 'notice', title: string, lines: readonly string[]): string =>
  `::${kind} title=${property(visibleLine(title))}::${data(lines.map(visibleLine).join('\n'))}`

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
