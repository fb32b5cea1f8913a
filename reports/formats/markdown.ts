import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { allowWords, type RecordedRefusal } from '../../record/types/effects.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { RecordedWant } from '../../record/types/recorded-target.js'
import { countVerdicts, type Verdict, verdicts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { mutationSentence } from '../summary/mutation-text.js'
import { notJudged } from '../summary/not-judged.js'
import { perShardNote, remainingState } from '../summary/remaining-state.js'
import { ruleMatrix, ruleSentence } from '../summary/rule-matrix.js'
import { configurationLines } from '../wording/configurations.js'
import { cut } from '../wording/hostile-text.js'
import { oftenInWords, textInWords } from '../wording/judged-by.js'
import { rowsByOperation } from '../wording/rows.js'
import { verdictIcon } from '../wording/verdict-icon.js'
import { verdictLine } from '../wording/verdict-line.js'
import { count, duration } from '../wording/words.js'
import { markdownFailures } from './markdown-failures.js'
import { code, inText, tableRow } from './markdown-text.js'

/** CI systems take a megabyte for a summary, and 65,536 characters for a comment: the smaller one must do. */
const longest = 60_000
/** Room for the sentence that says how many groups are left out. */
const lastLine = 100
const longestValue = 300
const namedReasons = 5
const namedDivergences = 60

/** The record as a Markdown summary for a CI job or a pull request: conclusion, counts, and what failed by rule and cause. */
export function markdownReport(record: RunRecord): string {
  const { header, footer, rows } = record
  const { conforming, inWords, sentence, problems, counts } = conclude(record)
  const { target, profile, suite, tool } = header
  const again = header.judgedAgain ? `, judged again: the run was by ${code(short(header.judgedAgain.profile))}` : ''
  const against = textInWords(header)
  const took = footer ? `, ${inText(short(duration(footer.milliseconds)))}` : ''
  const scope = header.selection?.operations
    ? `operations ${code(short(header.selection.operations.join(', ')))}, `
    : ''
  const only = header.only === undefined ? '' : `, only ${code(short(header.only))}`
  const begin = [
    `## ${conforming ? '✓' : '✗'} Conformance: ${inText(cut(inWords, 1000))}`,
    '',
    ...problems.map((problem) => `> **! ${inText(cut(problem, 1000))}**\n`),
    inText(cut(sentence, 1000)),
    '',
    `**${inText(verdictLine(counts))}**`,
    '',
    `${code(short(target.url))}${target.version === undefined ? '' : ` (${inText(short(target.version))})`} by profile ${code(short(profile.name))}${again}, ` +
      `${scope}suite ${inText(short(suite.version))} (${code(suite.digest.slice(0, 12))}), seed ${code(short(header.seed))}${inText(short(oftenInWords(header)))}${only}, ` +
      `${inText(short(`${tool.name} ${tool.version}`))}${took}`,
    '',
    ...(against === undefined ? [] : [`Against ${inText(short(against))}.`, '']),
    ...configurationLines(header).map((line) => `- ${inText(short(line))}`),
    ...(header.configurations ? [''] : []),
    inText([ruleSentence(ruleMatrix(header, rows.map(rulesOf))), mutationSentence(header) ?? ''].join(' ').trim()),
    '',
    ...operationTable(rows),
    '',
    ...notJudged(rows).slice(0, namedReasons).map(leftOut),
    ...(header.wants ?? []).slice(0, namedReasons).map(wanted),
    ...(header.refusals ?? []).slice(0, namedReasons).map((one) => refused(one, header.allowed)),
    '',
    ...divergenceLines(record),
    ...stayLines(record),
  ]
  const text = `${withinLimit(begin, markdownFailures(record)).join('\n').trimEnd()}\n`
  // What a forged record has in thousands of names is cut off in the middle, but it is cut off.
  return text.length <= longest ? text : `${text.slice(0, longest)}\n\n… cut off here\n`
}

/** What a target or a record says of itself may be of any length. */
const short = (text: string): string => cut(text, longestValue)

const leftOut = ([reason, rows]: [string, RunRow[]]): string =>
  `- ${count(rows.length, 'row')} not judged: ${inText(cut(reason, longestValue))}`

const wanted = ({ credentials, rows }: RecordedWant): string =>
  `- ${count(rows, 'row')} could run with a credential for ${inText(credentials.join(' and '))}`

const refused = ({ permissions, rows }: RecordedRefusal, allowed: RunHeader['allowed'] = []): string =>
  `- ${count(rows, 'row')} could run with ${code(allowWords(allowed, permissions))}`

/** What the target shares of what a profile knows to be different from the text, and what not. */
function divergenceLines({ rows, header }: RunRecord): string[] {
  const seen = seenDivergences(rows, header)
  if (seen.length === 0) return []
  const lines = seen
    .slice(0, namedDivergences)
    .map((one) => `- ${code(short(one.id))}: ${inText(short(one.statement ?? ''))} ${inText(divergenceInWords(one))}`)
  const more = seen.length - namedDivergences
  return [
    'Divergences from the text:',
    '',
    ...lines,
    ...(more > 0 ? [`- and ${count(more, 'more divergence')}`] : []),
    '',
  ]
}

function stayLines(record: RunRecord): string[] {
  const stays = remainingState(record)
  if (stays.length === 0) return []
  const lines = stays.map(({ what, names }) =>
    names.length === 0
      ? `- ${inText(what)}`
      : `- ${inText(what)}: ${names.map((name) => code(short(name))).join(', ')}`,
  )
  return [`Stays at the target${inText(short(perShardNote(record.header)))}:`, '', ...lines, '']
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

function withinLimit(begin: string[], parts: string[]): string[] {
  const taken = [...begin]
  let length = begin.join('\n').length
  for (const [index, part] of parts.entries()) {
    length += part.length + 1
    if (length > longest - lastLine)
      return [...taken, `… and ${count(parts.length - index, 'more group')}, all in the other reports.`]
    taken.push(part)
  }
  return taken
}
