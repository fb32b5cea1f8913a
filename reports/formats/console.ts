import { type Colors, createColors } from '../../lib/colors.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import { allowWords, credentialWords } from '../../record/types/effects.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { countVerdicts, nonConforming, type Verdict, verdicts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { divergencesInWords, seenDivergences } from '../summary/divergences.js'
import { lowerBoundText } from '../summary/lower-bound.js'
import { remainingStateText } from '../summary/remaining-state.js'
import { ruleMatrix, ruleSentence } from '../summary/rule-matrix.js'
import { textTally } from '../summary/text-tally.js'
import { visibleLine } from '../wording/hostile-text.js'
import { rowsByOperation } from '../wording/rows.js'
import { configurationLines, judgedBy, oftenInWords, textInWords } from '../wording/run-text.js'
import { verdictLine } from '../wording/terms.js'
import { count, duration } from '../wording/words.js'

export function consoleSummary(record: RunRecord, { color }: { color: boolean }): string {
  const colors = createColors(color)
  const { conforming, inWords, problems, notes, counts } = conclude(record)
  const { header, footer } = record
  const operations = rowsByOperation(record)
  const paint = conforming ? colors.green : colors.red
  const took = footer ? ` (${duration(footer.milliseconds)})` : ''
  const bound = lowerBoundText(record)
  const lines = [
    `target ${visibleLine(header.target.url)}, profile ${visibleLine(judgedBy(header))}, seed ${visibleLine(header.seed)}${oftenInWords(header)}`,
    ...textLines(header),
    ...configurationLines(header).map(visibleLine),
    '',
    ...table(operations, colors),
    '',
    ...textTallyLines(record),
    ...supportLines(header, colors),
    ...notRunLines(header),
    ...repeatedLines(record),
    ...[remainingStateText(record)].filter((line) => line !== '').map(visibleLine),
    verdictLine(counts),
    visibleLine(ruleSentence(ruleMatrix(header, record.rows.map(rulesOf)))),
    ...noteLines(record, colors),
    ...problems.map((problem) => colors.red(`! ${visibleLine(problem)}`)),
    ...(bound === undefined ? [] : [bound]),
    [`${paint(colors.bold(inWords))}${took}.`, ...notes].join(' '),
  ]
  return `${lines.join('\n')}\n`
}

function textTallyLines({ rows, header }: RunRecord): string[] {
  const byText = textTally(rows, header)
  if (byText === undefined) return []
  const seen = seenDivergences(rows, header)
  if (seen.length === 0) return [visibleLine(byText)]
  return [byText, `${divergencesInWords(seen, header.profile.name)} (summary.md lists them)`].map(visibleLine)
}

const textLines = (header: RunHeader): string[] => {
  const text = textInWords(header)
  return text === undefined ? [] : [`interface text ${visibleLine(text)}`]
}

const supportLines = ({ support = [] }: RunHeader, colors: Colors): string[] =>
  support
    .filter(({ met }) => !met)
    .map(({ what, found }) =>
      colors.yellow(
        visibleLine(
          `! supporting operation, no rule: expected "${what}"${found === undefined ? '' : `, found ${found}`}`,
        ),
      ),
    )

const notRunLines = ({ wants = [], refusals = [], allowed = [] }: RunHeader): string[] =>
  [
    ...wants.map((want) => `${count(want.rows, 'row')} could run with ${credentialWords(want, allowed)}`),
    ...refusals.map(
      ({ permissions, rows }) => `${count(rows, 'row')} could run with ${allowWords(allowed, permissions)}`,
    ),
  ].map(visibleLine)

/** Without this line, a slow run of a busy participant shows no cause. */
function repeatedLines({ rows, exchanges = [], oracles }: RunRecord): string[] {
  const others = [...exchanges, ...(oracles?.reads ?? [])].map(({ evidence }) => evidence)
  const all = [...rows.flatMap(({ evidence }) => evidence), ...others]
  const repeated = all.filter(({ earlier }) => earlier?.status === 429).length
  return repeated === 0 ? [] : [`${count(repeated, 'request')} repeated after the answer 429`]
}

const noteLines = (record: RunRecord, colors: Colors): string[] =>
  record.header.lenientWaivers
    ? waiverFindings(record).map((finding) => colors.yellow(`! ${visibleLine(finding)}`))
    : []

function table(operations: Map<string, RunRow[]>, colors: Colors): string[] {
  const all = [...operations.values()].flat()
  const total = countVerdicts(all.map(({ verdict }) => verdict))
  const shown = verdicts.filter((verdict) => total[verdict] > 0)
  const body = [...operations].map(([operation, rows]) => tableRow(visibleLine(operation), rows, shown))
  const cells = [['operation', ...shown, 'rows'], ...body, tableRow('total', all, shown)]
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row, line) => {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    const painted = padded.map((cell, column) => paintCell(cell, shown[column - 1], line, colors))
    return painted.join('  ')
  })
}

function tableRow(name: string, rows: RunRow[], shown: readonly Verdict[]): string[] {
  const counts = countVerdicts(rows.map(({ verdict }) => verdict))
  return [name, ...shown.map((verdict) => String(counts[verdict])), String(rows.length)]
}

function paintCell(cell: string, verdict: Verdict | undefined, line: number, colors: Colors): string {
  if (line === 0) return colors.bold(cell)
  if (verdict === undefined) return cell
  if (cell.trim() === '0') return colors.dim(cell)
  if (nonConforming.includes(verdict)) return colors.red(cell)
  if (verdict === 'pass') return colors.green(cell)
  return verdict === 'warning' ? colors.yellow(cell) : cell
}
