import { firstOf } from '../../lib/first-of.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { allowWords, credentialWords, type RecordedRefusal } from '../../record/types/effects.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { RecordedWant } from '../../record/types/recorded-target.js'
import { countVerdicts, type Verdict, verdicts } from '../../record/types/verdict.js'
import { compareRuns, regressionsInWords, rowsOf } from '../summary/compare-runs.js'
import type { ComparedRun } from '../summary/compared-run.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, divergencesInWords, seenDivergences } from '../summary/divergences.js'
import { notJudged } from '../summary/evidence.js'
import { failureCauses } from '../summary/failure-causes.js'
import { mutationSentence } from '../summary/mutation-text.js'
import { perShardNote, remainingState } from '../summary/remaining-state.js'
import { ruleMatrix, ruleSentence } from '../summary/rule-matrix.js'
import { factsOf } from '../summary/run-facts.js'
import { textTally } from '../summary/text-tally.js'
import { cut } from '../wording/hostile-text.js'
import { inSuiteOrder, rowsByOperation } from '../wording/rows.js'
import { configurationLines, oftenInWords, textInWords } from '../wording/run-text.js'
import { rerunCommand } from '../wording/shell.js'
import { shortPassages, verdictIcon, verdictLine } from '../wording/terms.js'
import { count, duration, instant } from '../wording/words.js'
import { code, inText, tableRow } from './markdown-text.js'

/** CI systems accept a megabyte for a summary, 65,536 characters for a comment. */
const longest = 60_000
const lastLine = '\n\n… cut: the report is too long; see the other reports.\n'
const longestValue = 300
const longestStatement = 1000
const namedReasons = 5
const namedDivergences = 60
const differencesPerCause = 5
const rowsPerCause = 5

/** With a baseline, the regressions first; known failures take one line. */
export function markdownReport(record: RunRecord, baseline?: ComparedRun): string {
  const { header, footer, rows } = record
  const { conforming, inWords, problems, notes, counts } = conclude(record)
  const { target, profile, suite, tool } = header
  const again = header.judgedAgain
    ? ` (judged again; profile of the run: ${code(short(header.judgedAgain.profile))})`
    : ''
  const text = textInWords(header)
  const byText = textTally(rows, header)
  const took = footer ? `, ${inText(short(duration(footer.milliseconds)))}` : ''
  const scope = header.selection?.operations
    ? `operations ${code(short(header.selection.operations.join(', ')))}, `
    : ''
  const only = header.only === undefined ? '' : `, limited to ${code(short(header.only))}`
  const begin = [
    `## ${conforming ? '✓' : '✗'} Conformance: ${inText(cut(inWords, 1000))}`,
    '',
    ...comparisonLines(record, baseline),
    ...problems.map((problem) => `> **! ${inText(cut(problem, 1000))}**\n`),
    ...notes.map((note) => `${inText(cut(note, 1000))}\n`),
    `**${inText(verdictLine(counts))}**`,
    '',
    ...(byText === undefined ? [] : [`${inText(byText)}.`, '']),
    `Target ${code(short(target.url))}${target.version === undefined ? '' : ` (${inText(short(target.version))})`}, profile ${code(short(profile.name))}${again}, ` +
      `${scope}suite ${inText(short(suite.version))} (${code(suite.digest.slice(0, 12))}), seed ${code(short(header.seed))}${inText(short(oftenInWords(header)))}${only}, ` +
      `${inText(short(`${tool.name} ${tool.version}`))}${took}`,
    '',
    ...(text === undefined ? [] : [`Interface text: ${inText(short(text))}.`, '']),
    ...configurationLines(header).map((line) => `- ${inText(short(line))}`),
    ...(header.configurations ? [''] : []),
    inText([ruleSentence(ruleMatrix(header, rows.map(rulesOf))), mutationSentence(header) ?? ''].join(' ').trim()),
    '',
    ...operationTable(rows),
    '',
    ...notJudged(rows).slice(0, namedReasons).map(notJudgedLine),
    ...(header.wants ?? []).slice(0, namedReasons).map((one) => credentialsLine(one, header.allowed)),
    ...(header.refusals ?? []).slice(0, namedReasons).map((one) => permissionsLine(one, header.allowed)),
    '',
    ...divergenceLines(record),
    ...remainingLines(record),
  ]
  const report = `${[...begin, ...failureTexts(record, baseline)].join('\n').trimEnd()}\n`
  if (report.length <= longest) return report
  // Half a code span would end before its text, which may be markup of a target.
  const end = report.lastIndexOf('\n', longest - lastLine.length)
  return report.slice(0, end) + lastLine
}

const short = (text: string): string => cut(text, longestValue)

const notJudgedLine = ([reason, rows]: [string, RunRow[]]): string =>
  `- ${count(rows.length, 'row')} not judged: ${inText(cut(reason, longestValue))}`

const credentialsLine = (want: RecordedWant, allowed: RunHeader['allowed'] = []): string =>
  `- ${count(want.rows, 'row')} could run with ${inText(credentialWords(want, allowed))}`

const permissionsLine = ({ permissions, rows }: RecordedRefusal, allowed: RunHeader['allowed'] = []): string =>
  `- ${count(rows, 'row')} could run with ${code(allowWords(allowed, permissions))}`

function divergenceLines({ rows, header }: RunRecord): string[] {
  const seen = seenDivergences(rows, header)
  if (seen.length === 0) return []
  const lines = seen.map(
    (one) => `- ${code(short(one.id))}: ${inText(short(one.statement ?? ''))} ${inText(divergenceInWords(one))}`,
  )
  const named = firstOf(lines, namedDivergences, (left) => `- and ${count(left, 'more divergence')}`)
  return [`${inText(short(divergencesInWords(seen, header.profile.name)))}.`, '', ...named, '']
}

function remainingLines(record: RunRecord): string[] {
  const items = remainingState(record)
  if (items.length === 0) return []
  const lines = items.map(({ what, names }) =>
    names.length === 0
      ? `- ${inText(what)}`
      : `- ${inText(what)}: ${names.map((name) => code(short(name))).join(', ')}`,
  )
  return [`Remains on the participant${inText(short(perShardNote(record.header)))}:`, '', ...lines, '']
}

function operationTable(rows: RunRow[]): string[] {
  const line = (name: string, found: RunRow[]) => {
    const counts = countVerdicts(found.map(({ verdict }) => verdict))
    return tableRow([name, ...verdicts.map((verdict) => String(counts[verdict])), String(found.length)])
  }
  const head = (verdict: Verdict) => `${verdictIcon[verdict]} ${verdict}`
  return [
    tableRow(['operation', ...verdicts.map(head), 'rows']),
    tableRow(['---', ...verdicts.map(() => '--:'), '--:']),
    ...[...rowsByOperation({ rows })].map(([operation, found]) => line(inText(short(operation)), found)),
    line('**total**', rows),
  ]
}

function comparisonLines(record: RunRecord, baseline: ComparedRun | undefined): string[] {
  if (!baseline) return []
  const found = compareRuns(baseline, factsOf(record))
  const { run, startedAt } = baseline.header
  const ids = found.noLongerJudged.map(({ id }) => code(short(id)))
  const lost = firstOf(ids, namedReasons, (left) => `and ${left} more`)
  return [
    `**${regressionsInWords(found)}**, compared with ${code(short(run))} (${inText(short(instant(startedAt)))})`,
    '',
    ...(lost.length > 0 ? [`No longer judged: ${lost.join(', ')}`, ''] : []),
  ]
}

function failureTexts(record: RunRecord, baseline: ComparedRun | undefined): string[] {
  const { header, rows } = record
  const found = baseline && compareRuns(baseline, factsOf(record))
  if (!found) return causeTexts(inSuiteOrder(rows), header)
  const known = failureCauses(rowsOf(record, found.knownFailures), header)
  const knownLine = `${count(found.knownFailures.length, 'known failure')} in ${count(known.length, 'cause')}: see the other reports.`
  return [...causeTexts(rowsOf(record, found.newlyFailing), header), ...(known.length > 0 ? [knownLine] : [])]
}

function causeTexts(rows: readonly RunRow[], header: RunHeader): string[] {
  return failureCauses(rows, header).map(({ title, tag, passages, differences, rows: some, isBlocked }) => {
    const basis = [tag, shortPassages({ passages })].filter((part) => part !== '').join('; ')
    const texts = differences.map(({ text, rows: found }) => `- ${found}× ${inText(text)}`)
    const commands = some.map(
      (row) => `- ${inText(row.verdict)}: ${code(cut(rerunCommand(row, header), longestStatement))}`,
    )
    return [
      `### ${count(some.length, isBlocked ? 'blocked row' : 'row')}: ${inText(cut(title, longestStatement))}`,
      '',
      ...(basis === '' ? [] : [`> ${inText(cut(basis, longestStatement))}`, '']),
      ...firstOf(texts, differencesPerCause, (left) => `- and ${count(left, 'more difference')}`),
      ...firstOf(commands, rowsPerCause, (left) => `- and ${count(left, 'more row')}`),
      '',
    ].join('\n')
  })
}
