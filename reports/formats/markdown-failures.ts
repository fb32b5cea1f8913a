import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { headerOfRow } from '../wording/configurations.js'
import { cut } from '../wording/hostile-text.js'
import { ruleTag, shortPassages } from '../wording/obligation.js'
import { inSuiteOrder, ruleOf } from '../wording/rows.js'
import { rerunCommand } from '../wording/shell.js'
import { count } from '../wording/words.js'
import { code, inText } from './markdown-text.js'

/** What a target or a record says of itself may be of any length. */
const longestValue = 300
const longestStatement = 1000
const namedRows = 5
const namedRules = 5
const quotedRules = 2

type Group = FailureGroup<RunRecord['rows'][number]>
type Rules = readonly [rule: string, rows: number][]

/** One text per group of failures, so that a list that is too long ends between two. */
export function markdownFailures({ header, rows }: RunRecord): string[] {
  return failureGroups(inSuiteOrder(rows), header, rulesOf).map((group) => {
    const lines = [`### ${inText(cut(group.title, longestValue))}: ${count(group.rows.length, 'row')}`, '']
    lines.push(...statements(group, header).flatMap((text) => [`> ${text}`, '']))
    for (const cause of group.causes) {
      lines.push(`- ${cause.rows.length}× ${inText(cut(cause.sentence, longestValue) + rulesInWords(cause.rules))}`)
      for (const row of cause.rows.slice(0, namedRows)) {
        lines.push(
          `  - ${inText(row.verdict)}: ${code(cut(rerunCommand(row.id, headerOfRow(header, row)), longestStatement))}`,
        )
      }
      const more = cause.rows.length - namedRows
      if (more > 0) lines.push(`  - and ${count(more, 'more row')}`)
    }
    return [...lines, ''].join('\n')
  })
}

/** What the divergence says, or the rules that most rows fail. */
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

/** The rules that rows of one cause fail, those with most of them first. */
function rulesInWords(rules: Rules): string {
  if (rules.length === 0) return ''
  const told = rules.slice(0, namedRules).map(([rule, rows]) => `${rule} ${rows}`)
  return ` (${told.join(', ')}${rules.length > namedRules ? `, and ${rules.length - namedRules} more rules` : ''})`
}
