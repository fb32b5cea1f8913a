import picocolors from 'picocolors'
import type { Evidence, Judgement, RunHeader, RunRow } from '../record/record.js'
import { verdictMeaning } from '../record/verdict.js'
import { curlCommand } from './curl.js'
import { cut, visible, visibleLine } from './hostile-text.js'
import { lookedAt, ruleOf, unmetJudgements, unmetRules } from './rows.js'
import { rerunCommand } from './shell.js'
import { verdictIcon } from './verdict-icon.js'

const longestValue = 1000

/** Why the row has its verdict, in one sentence; the verdict's meaning where the row does not say more. */
export function reasonOf(row: RunRow): string {
  const meaning = verdictMeaning[row.verdict]
  return row.reason ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
}

/** The exchange that shows the failure best: that of the strongest unmet judgement, else the last of the test itself. */
export function tellingEvidence(row: RunRow): Evidence | undefined {
  const [judgement] = unmetJudgements(row)
  return (
    row.evidence.find(({ step }) => step === judgement?.step) ??
    row.evidence.findLast(({ purpose }) => purpose === 'test') ??
    row.evidence.at(-1)
  )
}

/**
 * One row that did not pass, as text of several lines that end without a line feed: what it is and where it stands, the
 * rules that were not met, expected and actual of each unmet judgement, the request as a curl command, and the command
 * that runs it again. Control characters of the target's answer are shown, never sent to the terminal.
 */
export function failureText(row: RunRow, header: RunHeader, { color }: { color: boolean }): string {
  const { bold, red, dim } = picocolors.createColors(color)
  const evidence = tellingEvidence(row)
  const head = `${verdictIcon[row.verdict]} ${row.verdict}`
  const lines = [
    `${red(bold(head))}  ${bold(visibleLine(row.id))}`,
    `  ${visibleLine(row.title)}`,
    dim(`  ${visibleLine(row.source.file)}:${row.source.line}`),
    '',
    ...indented(cut(visible(reasonOf(row)), longestValue), '  '),
    ...unmetRules(row).flatMap((id) => indented(ruleSentence(header, id), '  ')),
    ...unmetJudgements(row).flatMap(judgementLines),
  ]
  if (evidence?.problem) lines.push(`  no answer (${evidence.problem.code}): ${visibleLine(evidence.problem.message)}`)
  if (evidence) lines.push('', ...indented(curlCommand(evidence), '  '))
  lines.push('', `  ${visibleLine(rerunCommand(row.id))}`)
  return lines.join('\n')
}

function ruleSentence(header: RunHeader, id: string): string {
  const rule = ruleOf(header, id)
  return visible(rule ? `${id} (${rule.strength}): ${rule.statement}` : `${id}: the record does not say this rule.`)
}

function judgementLines(judgement: Judgement): string[] {
  const { step, expected, actual } = judgement
  return [
    '',
    `  ${visibleLine(`${step}: ${lookedAt(judgement)}`)}`,
    ...labelled('expected', expected),
    ...labelled('actual  ', actual),
  ]
}

function labelled(label: string, value: string): string[] {
  const [first = '', ...more] = cut(visible(value), longestValue).split('\n')
  return [`    ${label}  ${first}`, ...more.map((line) => `              ${line}`)]
}

function indented(text: string, indent: string): string[] {
  return text.split('\n').map((line) => `${indent}${line}`)
}
