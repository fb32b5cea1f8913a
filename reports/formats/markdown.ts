import { firstOf } from '../../lib/first-of.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { allowWords, credentialWords, type RecordedRefusal } from '../../record/types/effects.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { RecordedWant } from '../../record/types/recorded-target.js'
import { countVerdicts, type Verdict, verdicts } from '../../record/types/verdict.js'
import { causeInWords } from '../summary/cause.js'
import { compareRuns, regressionsInWords, rowsOf } from '../summary/compare-runs.js'
import type { ComparedRun } from '../summary/compared-run.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { notJudged } from '../summary/evidence.js'
import { type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { mutationSentence } from '../summary/mutation-text.js'
import { perShardNote, remainingState } from '../summary/remaining-state.js'
import { ruleMatrix, ruleSentence } from '../summary/rule-matrix.js'
import { factsOf } from '../summary/run-facts.js'
import { textTally } from '../summary/text-tally.js'
import { cut } from '../wording/hostile-text.js'
import { inSuiteOrder, rowsByOperation, ruleOf } from '../wording/rows.js'
import { configurationLines, oftenInWords, textInWords } from '../wording/run-text.js'
import { rerunCommand } from '../wording/shell.js'
import { ruleTag, shortPassages, verdictIcon, verdictLine } from '../wording/terms.js'
import { count, duration, instant } from '../wording/words.js'
import { code, inText, tableRow } from './markdown-text.js'

/** CI systems accept a megabyte for a summary, 65,536 characters for a comment. */
const longest = 60_000
const longestValue = 300
const longestStatement = 1000
const namedReasons = 5
const namedDivergences = 60
const rowsPerCause = 5
const rulesPerCause = 5
const quotedRules = 2

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
  const end = report.lastIndexOf('\n', longest)
  return `${report.slice(0, end)}\n\n… cut: the report is too long; see the other reports.\n`
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
  return ['Divergences from the text:', '', ...named, '']
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

type Group = FailureGroup<RunRecord['rows'][number]>
type Rules = readonly [rule: string, rows: number][]

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
  if (!found) return groupTexts(inSuiteOrder(rows), header)
  const known = failureGroups(rowsOf(record, found.knownFailures), header, rulesOf)
  const knownLine = `${count(found.knownFailures.length, 'known failure')} in ${count(known.length, 'cause')}: see the other reports.`
  return [...groupTexts(rowsOf(record, found.newlyFailing), header), ...(known.length > 0 ? [knownLine] : [])]
}

function groupTexts(rows: readonly RunRow[], header: RunHeader): string[] {
  return failureGroups(rows, header, rulesOf).map((group) => {
    const lines = [`### ${inText(cut(group.title, longestValue))}: ${count(group.rows.length, 'row')}`, '']
    lines.push(...statements(group, header).flatMap((text) => [`> ${text}`, '']))
    for (const cause of group.causes) {
      lines.push(`- ${cause.rows.length}× ${inText(causeInWords(cause, longestValue) + rulesInWords(cause.rules))}`)
      const commands = cause.rows.map(
        (row) => `  - ${inText(row.verdict)}: ${code(cut(rerunCommand(row, header), longestStatement))}`,
      )
      lines.push(...firstOf(commands, rowsPerCause, (left) => `  - and ${count(left, 'more row')}`))
    }
    return [...lines, ''].join('\n')
  })
}

function statements({ statement, tag, causes }: Group, header: RunHeader): string[] {
  if (statement !== '') return [`${inText(cut(statement, longestStatement))} (${inText(cut(tag, longestValue))})`]
  const [largest] = causes
  return (largest?.rules ?? []).slice(0, quotedRules).flatMap(([id]) => {
    const rule = ruleOf(header, id)
    if (!rule) return []
    const passages = shortPassages(rule)
    const note = passages === '' ? ruleTag(rule) : `${ruleTag(rule)}; ${passages}`
    return [`${inText(id)}: ${inText(cut(rule.statement, longestStatement))} (${inText(cut(note, longestValue))})`]
  })
}

function rulesInWords(rules: Rules): string {
  if (rules.length === 0) return ''
  const texts = rules.map(([rule, rows]) => `${rule} (${count(rows, 'row')})`)
  return `; failed rules: ${firstOf(texts, rulesPerCause, (left) => `and ${count(left, 'more rule')}`).join(', ')}`
}
