/**
 * Annotations of a GitHub workflow: docs.github.com, "Workflow commands for GitHub Actions". The escapes are those of
 * @actions/core.
 */
import { firstOf } from '../../lib/first-of.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { causeInWords } from '../summary/cause.js'
import { compareRuns, regressionsInWords, rowsOf } from '../summary/compare-runs.js'
import type { ComparedRun } from '../summary/compared-run.js'
import { type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { factsOf } from '../summary/run-facts.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder, isFailure } from '../wording/rows.js'
import { rerunCommand } from '../wording/shell.js'
import { count } from '../wording/words.js'

/** GitHub shows this number of errors of a step, and as many warnings and notices. */
const mostErrors = 10
const longestTitle = 200
const longestSentence = 500
const longestValue = 200
const longestCommand = 1000
const longestId = 200
const causesPerGroup = 3
const rowsPerGroup = 5

/**
 * One error for each of the largest groups of failures, one warning for each of those with only blocked rows, and one
 * notice with the number of the rest. With a baseline, only for regressions; known failures are counted. An empty string
 * without failures.
 */
export function githubAnnotations(record: RunRecord, baseline?: ComparedRun): string {
  const { header, rows } = record
  const found = baseline && compareRuns(baseline, factsOf(record))
  const failed = found ? rowsOf(record, found.newlyFailing) : inSuiteOrder(rows).filter(isFailure)
  const groups = failureGroups(failed, header, rulesOf)
  const lost = found?.noLongerJudged.map(({ id }) => id) ?? []
  const failing = groups.filter((group) => !isBlocked(group))
  const blocked = groups.filter(isBlocked)
  const errors: Annotated[] = [
    ...(lost.length > 0 ? [lostRows(lost)] : []),
    ...failing.map((group) => annotated(group, header)),
  ]
  const warnings = blocked.map((group) => annotated(group, header))
  const rest = [...failing.slice(mostErrors - Math.min(1, lost.length)), ...blocked.slice(mostErrors)]
  const inRest = rest.reduce((sum, group) => sum + group.rows.length, 0)
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

type Group = FailureGroup<RunRow>
type Annotated = [title: string, lines: string[]]

/** Nothing shows that the participant is wrong. */
const isBlocked = ({ rows }: Group): boolean => rows.every(({ verdict }) => verdict === 'blocked')

const annotated = (group: Group, header: RunHeader): Annotated => [titleOf(group), linesOf(group, header)]

function titleOf(group: Group): string {
  const rows = count(group.rows.length, isBlocked(group) ? 'blocked row' : 'row')
  return `${rows}: ${cut(group.title, longestTitle)}`
}

function linesOf({ tag, statement, causes, rows }: Group, header: RunHeader): string[] {
  const [first] = rows
  const command = first && rerunCommand(first, header)
  return [
    ...(statement === '' ? [] : [`${cut(statement, longestSentence)} (${tag})`]),
    ...causes.slice(0, causesPerGroup).map((cause) => `${cause.rows.length}× ${causeInWords(cause, longestValue)}`),
    ...(causes.length > causesPerGroup ? [`and ${count(causes.length - causesPerGroup, 'more cause')}`] : []),
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
  `rows: ${firstOf(names, rowsPerGroup, (left) => `and ${left} more`).join(', ')}`

/** One line of output; the message has several. */
const annotation = (kind: 'error' | 'warning' | 'notice', title: string, lines: readonly string[]): string =>
  `::${kind} title=${property(visibleLine(title))}::${data(lines.map(visibleLine).join('\n'))}`

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
