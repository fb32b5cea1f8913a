import type { RuleVerdicts } from '../../record/judgements/rule-verdicts.js'
import type { RecordedDivergence, RunHeader, RunRow } from '../../record/types/record.js'
import { nonConforming, verdictMeaning } from '../../record/types/verdict.js'
import { isFailure, ruleOf } from '../wording/rows.js'
import { obligation, ruleTag } from '../wording/terms.js'
import { type CauseOfRows, causesOf, divergenceOfAll, type Failed } from './cause.js'

/** `rules`: the failed rules of its rows, the most frequent first. */
export interface Cause<R> extends CauseOfRows<R> {
  rules: [rule: string, rows: number][]
}

export interface FailureGroup<R> {
  title: string
  tag: string
  statement: string
  passages: string[]
  rule?: string
  divergence?: string
  search?: string
  rows: R[]
  causes: Cause<R>[]
}

/**
 * `cause`: each row is in one group, of its divergence or of its failure. `rule`: a row is in the group of each rule
 * that it fails.
 */
export const groupings = ['cause', 'rule', 'operation'] as const
export type Grouping = (typeof groupings)[number]

type Named = Omit<FailureGroup<never>, 'rows' | 'causes'>
type Grouped = Failed & { resolved: Pick<RunRow['resolved'], 'operation'> }

/** The largest first, but blocked rows after failed ones, and groups that a divergence explains last. */
export function failureGroups<R extends Grouped>(
  rows: readonly R[],
  header: RunHeader,
  rulesOf: (row: R) => RuleVerdicts,
  by: Grouping = 'cause',
): FailureGroup<R>[] {
  const failedRules = (row: R): string[] =>
    row.verdict === 'fail' ? rulesOf(row).flatMap(([id, verdict]) => (verdict === 'fail' ? [id] : [])) : []
  const withRules = (cause: CauseOfRows<R>): Cause<R> => ({ ...cause, rules: countRules(cause.rows.map(failedRules)) })
  const groups = new Map<string, Named & { rows: R[] }>()
  const others: R[] = []
  for (const row of rows.filter(isFailure)) {
    const names = namesOf(row, failedRules(row), header, by)
    if (names.length === 0) others.push(row)
    for (const named of names) {
      const group = groups.get(named.title) ?? { ...named, rows: [] }
      groups.set(named.title, group)
      group.rows.push(row)
    }
  }
  const found: FailureGroup<R>[] = [
    ...[...groups.values()].map((group) => ({ ...group, causes: causesOf(group.rows, group.rule).map(withRules) })),
    ...causesOf(others).map((cause) => ({
      ...groupOfCause(cause, header),
      rows: cause.rows,
      causes: [withRules(cause)],
    })),
  ]
  const rankOf = ({ divergence, rows: some }: FailureGroup<R>): number =>
    divergence !== undefined ? 2 : some.every(({ verdict }) => verdict === 'blocked') ? 1 : 0
  return found.sort((a, b) => rankOf(a) - rankOf(b) || b.rows.length - a.rows.length)
}

/** Empty for a row that only its cause names. */
function namesOf(row: Grouped, failed: readonly string[], header: RunHeader, by: Grouping): Named[] {
  if (by === 'operation') return [operationGroup(row.resolved.operation)]
  if (by === 'rule') return failed.length > 0 ? failed.map((id) => groupOfRule(id, header)) : [groupOfVerdict(row)]
  const divergence = divergenceOfAll(row)
  return divergence === undefined ? [] : [groupOfDivergence(divergence, header)]
}

function countRules(failed: readonly string[][]): Cause<never>['rules'] {
  const counts = new Map<string, number>()
  for (const id of failed.flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

function groupOfCause(
  { sentence, rule, obligation: own, rows: [first] }: CauseOfRows<Failed>,
  header: RunHeader,
): Named {
  if (rule === undefined) return plain(sentence, first?.verdict ?? '')
  const { tag, statement, passages } = groupOfRule(rule, header)
  const weight = own && own.confidence !== 'text' ? obligation(own) : tag
  return { ...plain(sentence, `${rule}, ${weight}`), statement, passages }
}

const plain = (title: string, tag: string): Named => ({ title, tag, statement: '', passages: [] })

const operationGroup = (name: string): Named => ({
  ...plain(name, 'operation'),
  search: `operation:${name} verdict:${nonConforming.join(',')}`,
})

const groupOfVerdict = ({ verdict }: Failed): Named => ({
  ...plain(verdict, verdictMeaning[verdict]),
  search: `verdict:${verdict}`,
})

function groupOfRule(id: string, header: RunHeader): Named {
  const rule = ruleOf(header, id)
  const unknown = { tag: 'not in the record', statement: 'The record does not contain this rule.' }
  const known = rule && { tag: ruleTag(rule), statement: rule.statement }
  return { title: id, ...(known ?? unknown), passages: rule?.passages ?? [], rule: id, search: `says:${id}=fail` }
}

function groupOfDivergence(id: string, header: RunHeader): Named {
  const found = divergenceOf(header, id)
  const tag = found ? `divergence of ${found.profile} from ${found.rule}` : 'divergence, not in the record'
  return { title: id, tag, statement: found?.statement ?? '', passages: [], divergence: id, search: `divergence:${id}` }
}

export function divergenceOf(
  { profile }: Pick<RunHeader, 'profile'>,
  id: string,
): (RecordedDivergence & { profile: string }) | undefined {
  const found = profile.divergences.find((one) => one.id === id)
  return found && { ...found, profile: profile.name }
}
