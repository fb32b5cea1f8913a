import { createColors } from '../../lib/colors.js'
import { longestCommand } from '../../lib/print.js'
import { unmetRules } from '../../record/judgements/rule-verdicts.js'
import type { Evidence, Judgement, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { curlCommand, senderOf } from './curl.js'
import { exchangeLines } from './exchange-lines.js'
import { wantedText } from './fact-text.js'
import { cut, visible, visibleLine } from './hostile-text.js'
import { decisiveExchange, reasonOf, verdictByTextInWords } from './reason.js'
import { foundText } from './reason-words.js'
import { relationsOf } from './relation.js'
import { ruleOf, subjectText, unmetJudgements } from './rows.js'
import { rerunCommand } from './shell.js'
import { obligation, roleWords, shortPassages, stepName, strengthWords, verdictIcon } from './terms.js'

const longestValue = 500

/** Without a final line feed. Control characters are printed as code points. */
export function failureText(row: RunRow, header: RunHeader, color = false): string {
  const { bold, red, dim } = createColors(color)
  const { resolved } = row
  const evidence = decisiveExchange(row)
  const byText = verdictByTextInWords(row)
  const head = `${verdictIcon[row.verdict]} ${row.verdict}`
  const lines = [
    `${red(bold(head))}  ${bold(visibleLine(row.id))}`,
    `  ${visibleLine(resolved.title)}`,
    dim(`  ${visibleLine(resolved.source.file)}:${resolved.source.line}`),
    ...(row.configuration === undefined ? [] : [dim(`  configuration ${row.configuration}`)]),
    '',
    ...indented(cut(visible(reasonOf(row)), longestValue), '  '),
    ...(byText === undefined ? [] : [`  ${byText}`]),
    ...unmetRules(row).flatMap((id) => indented(ruleSentence(header, id, row), '  ')),
    // Several expectations can have the same difference.
    ...new Set(unmetJudgements(row).map((judgement) => judgementLines(judgement, resolved).join('\n'))),
  ]
  if (evidence?.problem)
    lines.push(`  no response (${evidence.problem.code}): ${visibleLine(evidence.problem.message)}`)
  if (row.evidence.length > 0) lines.push('', ...exchangeLines(row, evidence).map((line) => `  ${line}`))
  for (const exchange of repeatedExchanges(row, evidence)) {
    const request = curlCommand(exchange, senderOf(exchange, resolved.steps, header, row.configuration))
    lines.push('', ...indented(command(request, 'the request'), '  '))
  }
  lines.push('', `  ${visibleLine(command(rerunCommand(row, header), 'the command for this row'))}`)
  return lines.join('\n')
}

/** With the request under test if a later read decides. The record of a late-effects check has no body to repeat. */
function repeatedExchanges({ evidence }: RunRow, decisive: Evidence | undefined): Evidence[] {
  if (!decisive) return []
  const tested = evidence.findLast(({ role }) => role === 'act')
  if (decisive.role === 'late-check') return [tested ?? decisive]
  return decisive.role === 'probe-after' && tested ? [tested, decisive] : [decisive]
}

/** A long command is omitted, not cut: a part of it could do something else. */
const command = (text: string, what: string): string =>
  text.split('\n').every((line) => line.length <= longestCommand)
    ? text
    : `# ${what} has ${text.length} characters; the HTML report shows it`

/** A rule of the text is mandatory; an expectation of the profile about it is not. */
function ruleSentence(header: RunHeader, id: string, row: RunRow): string {
  const rule = ruleOf(header, id)
  if (!rule) return visible(`${id}: the record does not contain this rule.`)
  const passages = shortPassages(rule)
  const unmet = unmetJudgements(row).filter(({ rules }) => rules.includes(id))
  const [strict] = [...unmet.filter(({ confidence }) => confidence === 'text'), ...unmet]
  const weight = strict && strict.confidence !== 'text' ? obligation(strict) : strengthWords[rule.strength]
  return visible(`${id} (${weight}): ${rule.statement}${passages === '' ? '' : ` [${passages}]`}`)
}

function judgementLines(judgement: Judgement, resolved: ResolvedRow): string[] {
  const { role, rules } = judgement
  const by = [...rules, obligation(judgement)].join(', ')
  return [
    '',
    `  ${visibleLine(`${stepName(resolved, judgement)} (${roleWords[role]}): ${subjectText(judgement)}; ${by}`)}`,
    ...labelled('expected', wantedText(judgement)),
    ...relationsOf(judgement, resolved).flatMap((relation) => labelled('  that is', relation)),
    ...labelled('actual  ', foundText(judgement)),
  ]
}

function labelled(label: string, value: string): string[] {
  const [first = '', ...more] = cut(visible(value), longestValue).split('\n')
  return [`    ${label}  ${first}`, ...more.map((line) => `              ${line}`)]
}

function indented(text: string, indent: string): string[] {
  return text.split('\n').map((line) => `${indent}${line}`)
}
