/** A record as TAP 14. */
import { stringify } from 'yaml'
import { rulesOf, unmetRules } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { nonConforming } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { ruleMatrix, ruleSentence } from '../summary/rule-matrix.js'
import { curlCommand, senderOf } from '../wording/curl.js'
import { wantedText } from '../wording/fact-text.js'
import { cut, visible, visibleLine } from '../wording/hostile-text.js'
import { decisiveExchange, reasonOf } from '../wording/reason.js'
import { foundText } from '../wording/reason-words.js'
import { rowsByOperation, ruleOf, subjectText, unmetJudgements } from '../wording/rows.js'
import { judgedBy, oftenInWords, textInWords } from '../wording/run-text.js'
import { rerunCommand } from '../wording/shell.js'
import { obligation, roleWords, shortPassages, stepName, verdictLine } from '../wording/terms.js'

const longestValue = 2000

/** One test point for each row, and one that is not ok for each problem of the record. */
export function tapReport(record: RunRecord): string {
  const { header } = record
  const { problems, inWords, notes, counts } = conclude(record)
  const lines = [
    'TAP version 14',
    `1..${record.rows.length + problems.length}`,
    `# ${inComment(`${header.tool.name} ${header.tool.version}, ${header.target.url}, profile ${judgedBy(header)}${oftenInWords(header)}`)}`,
    ...textComment(header),
  ]
  let number = 0
  for (const [operation, rows] of rowsByOperation(record)) {
    lines.push(`# ${inComment(operation)}`)
    for (const row of rows) {
      number += 1
      lines.push(testPoint(number, row))
      // One by one: the lines of a hostile text exceed the arguments of a call.
      for (const line of diagnostics(row, header)) lines.push(line)
    }
  }
  for (const problem of problems) {
    number += 1
    lines.push(`not ok ${number} - run record: ${inDescription(problem)}`)
  }
  const rules = ruleSentence(ruleMatrix(header, record.rows.map(rulesOf)))
  const divergences = seenDivergences(record.rows, header).map(
    (one) => `divergence ${one.id}: ${divergenceInWords(one)}`,
  )
  const end = [...divergences, verdictLine(counts), rules, [`${inWords}.`, ...notes].join(' ')].map(
    (text) => `# ${inComment(text)}`,
  )
  return [...lines, ...end, ''].join('\n')
}

function testPoint(number: number, row: RunRow): string {
  const ok = nonConforming.includes(row.verdict) || row.verdict === 'excused' ? 'not ok' : 'ok'
  const directive = directiveOf(row)
  return `${ok} ${number} - ${inDescription(`${row.id}: ${row.resolved.title}`)}${directive}`
}

function directiveOf(row: RunRow): string {
  if (row.verdict === 'not-applicable') return ` # SKIP ${inDescription(reasonOf(row))}`
  if (row.verdict === 'excused') return ` # TODO ${inDescription(reasonOf(row))}`
  return ''
}

function diagnostics(row: RunRow, header: RunHeader): string[] {
  if (row.verdict === 'pass' || row.verdict === 'not-applicable') return []
  const evidence = decisiveExchange(row)
  const block = {
    verdict: row.verdict,
    ...(row.reason && { code: row.reason.code }),
    reason: visible(reasonOf(row)),
    ...(row.verdictByText && { verdict_by_text: row.verdictByText }),
    at: { fileName: row.resolved.source.file, lineNumber: row.resolved.source.line },
    duration_ms: row.milliseconds,
    rules: unmetRules(row).map((id) => ruleEntry(id, header)),
    unmet: unmetJudgements(row).map((judgement) => ({
      step: stepName(row.resolved, judgement),
      role: roleWords[judgement.role],
      rules: judgement.rules,
      obligation: obligation(judgement),
      subject: subjectText(judgement),
      expected: cut(visible(wantedText(judgement)), longestValue),
      actual: cut(visible(foundText(judgement)), longestValue),
    })),
    ...(evidence?.problem && { problem: visible(`${evidence.problem.code}: ${evidence.problem.message}`) }),
    ...(evidence && { curl: curlCommand(evidence, senderOf(evidence, row.resolved.steps, header, row.configuration)) }),
    again: rerunCommand(row, header),
  }
  const yaml = stringify(block, { lineWidth: 0 }).trimEnd().split('\n')
  return ['---', ...yaml, '...'].map((line) => `  ${line}`)
}

function ruleEntry(id: string, header: RunHeader) {
  const rule = ruleOf(header, id)
  const passages = rule ? shortPassages(rule) : ''
  return {
    id,
    statement: rule?.statement ?? 'The record does not contain this rule.',
    ...(passages !== '' && { passages }),
  }
}

function textComment(header: RunHeader): string[] {
  const text = textInWords(header)
  return text === undefined ? [] : [`# interface text ${inComment(text)}`]
}

/** Escapes `#`, which starts a directive. */
function inDescription(text: string): string {
  return inComment(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')
}

function inComment(text: string): string {
  return visibleLine(text).trim()
}
