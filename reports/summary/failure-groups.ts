import type { RuleVerdicts } from '../../record/judgements/rule-verdicts.js'
import type { RecordedDivergence, RunHeader, RunRow } from '../../record/types/record.js'
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
  divergence?: string
  rows: R[]
  causes: Cause<R>[]
}

type Named = Omit<FailureGroup<never>, 'rows' | 'causes'>
type Grouped = Failed & { resolved: Pick<RunRow['resolved'], 'operation'> }

/** Each row is in one group, of its divergence or of its failure. The largest first, but blocked rows after failed ones, and groups that a divergence explains last. */
export function failureGroups<R extends Grouped>(
  rows: readonly R[],
  header: RunHeader,
  rulesOf: (row: R) => RuleVerdicts,
): FailureGroup<R>[] {
  const failedRules = (row: R): string[] =>
    row.verdict === 'fail' ? rulesOf(row).flatMap(([id, verdict]) => (verdict === 'fail' ? [id] : [])) : []
  const withRules = (cause: CauseOfRows<R>): Cause<R> => ({ ...cause, rules: countRules(cause.rows.map(failedRules)) })
  const groups = new Map<string, Named & { rows: R[] }>()
  const others: R[] = []
  for (const row of rows.filter(isFailure)) {
    const divergence = divergenceOfAll(row)
    if (divergence === undefined) {
      others.push(row)
      continue
    }
    const group = groups.get(divergence) ?? { ...groupOfDivergence(divergence, header), rows: [] }
    groups.set(divergence, group)
    group.rows.push(row)
  }
  const found: FailureGroup<R>[] = [
    ...[...groups.values()].map((group) => ({ ...group, causes: causesOf(group.rows).map(withRules) })),
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

function groupOfRule(id: string, header: RunHeader): Pick<Named, 'tag' | 'statement' | 'passages'> {
  const rule = ruleOf(header, id)
  const unknown = { tag: 'not in the record', statement: 'The record does not contain this rule.' }
  const known = rule && { tag: ruleTag(rule), statement: rule.statement }
  return { ...(known ?? unknown), passages: rule?.passages ?? [] }
}

function groupOfDivergence(id: string, header: RunHeader): Named {
  const found = divergenceOf(header, id)
  const tag = found ? `divergence of ${found.profile} from ${found.rule}` : 'divergence, not in the record'
  return { title: id, tag, statement: found?.statement ?? '', passages: [], divergence: id }
}

export function divergenceOf(
  { profile }: Pick<RunHeader, 'profile'>,
  id: string,
): (RecordedDivergence & { profile: string }) | undefined {
  const found = profile.divergences.find((one) => one.id === id)
  return found && { ...found, profile: profile.name }
}
