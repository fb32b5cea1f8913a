import { type Colors, createColors } from '../../lib/colors.js'
import { firstOf } from '../../lib/first-of.js'
import { findingWhat } from '../../reports/wording/finding-text.js'
import { cut, visibleLine } from '../../reports/wording/hostile-text.js'
import { reasonText } from '../../reports/wording/reason-words.js'
import { count } from '../../reports/wording/words.js'
import type { Finding, Level } from '../../runner/doctor/finding.js'
import type { RowForecast } from '../../runner/doctor/row-forecast.js'
import type { Diagnosis, DoctorVerdict } from '../../runner/preflight/diagnose.js'

/** Without a final line feed. Escapes control characters from the target. */
export function doctorText(url: string, verdict: DoctorVerdict, { findings, rows }: Diagnosis, color: boolean): string {
  const colors = createColors(color)
  const subjects = [...new Set(findings.map(({ about }) => about))]
  const parts = subjects.flatMap((subject) => [
    '',
    colors.bold(headings[subject] ?? subject),
    ...findings.filter(({ about }) => about === subject).flatMap((one) => findingLines(one, colors)),
  ])
  const table = rows === undefined ? [] : ['', ...tableOf(rows)]
  return [visibleLine(url), ...parts, ...table, '', `${conclusions[verdict]}`].join('\n')
}

/** Other subjects are headings as they are. The JSON output keeps their names. */
const headings: Partial<Record<Finding['about'], string>> = { way: 'connectivity', leftovers: 'leftover state' }

const shown = (text: string): string => visibleLine(cut(text, 2000))

const marks: Readonly<Record<Level, string>> = { good: 'ok', warning: '!', stop: 'x', unreachable: 'x' }

function findingLines(finding: Finding, colors: Colors): string[] {
  const { level, advice } = finding
  const paint = level === 'good' ? colors.green : level === 'warning' ? colors.yellow : colors.red
  const line = `  ${paint(marks[level].padEnd(2))}  ${shown(findingWhat(finding))}`
  return advice === undefined ? [line] : [line, `      -> ${shown(advice)}`]
}

const conclusions: Readonly<Record<DoctorVerdict, string>> = {
  ready: 'Ready to run.',
  senseless: 'Cannot run. Fix the checks marked x above.',
  unreachable: 'The target is unreachable. Fix the checks marked x above.',
}

const mostReasons = 2

function tableOf({ run, left, groups }: RowForecast): string[] {
  const head = `${run} rows will run, ${left} will not${left === 0 ? '' : ':'}`
  const lines = groups.flatMap(({ rows, opens, reasons }) => {
    const whys = reasons.map(({ reason, blocked }) => shown(reasonText(reason)) + (blocked ? blocking : ''))
    const named = firstOf(whys, mostReasons, (left) => `and ${count(left, 'more reason')}`)
    return [
      `${String(rows).padStart(6)}  ${opens === undefined ? 'no setting enables them' : `enabled by ${visibleLine(opens)}`}`,
      ...named.map((line) => `          ${line}`),
    ]
  })
  return [head, ...lines]
}

const blocking = ' (blocked: the run is incomplete)'

/** `format` increases with each incompatible change. */
export const doctorJson = (url: string, verdict: DoctorVerdict, diagnosis: Diagnosis): string =>
  JSON.stringify({ format: 1, target: url, verdict, ...diagnosis }, undefined, 2)
