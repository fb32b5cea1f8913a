/** Failed rows in groups and causes. */
import type { RuleVerdicts } from '../../record/judgements/rule-verdicts.js'
import type { RecordedDivergence, RunHeader, RunRow } from '../../record/types/record.js'
import { nonConforming, verdictMeaning } from '../../record/types/verdict.js'
import { ruleTag } from '../wording/obligation.js'
import { isFailure, ruleOf } from '../wording/rows.js'
import { brokenAnswerOf, type CauseText, causeText, divergencesBehind, type Failed } from './cause.js'

/** Rows with the same subject, expectation and finding, except for names and times. */
export interface Cause<R> extends CauseText {
  rows: R[]
  /** The failed rules, those with most rows first. */
  rules: [rule: string, rows: number][]
}

export interface FailureGroup<R> {
  title: string
  /** Strength and section of a rule, the meaning of a verdict, or the divergence. */
  tag: string
  statement: string
  /** Passages of the rule in the interface text. */
  passages: string[]
  rule?: string
  divergence?: string
  /** A search in the HTML page that finds the rows. */
  search?: string
  rows: R[]
  causes: Cause<R>[]
}

/**
 * `cause`: the divergence that explains the row, or else its failure; each row is in one group. `rule`: a row is in the group
 * of each rule that it fails, with the unmet judgements of that rule.
 */
export const groupings = ['cause', 'rule', 'operation'] as const
export type Grouping = (typeof groupings)[number]

type Named = Omit<FailureGroup<never>, 'rows' | 'causes'>
type Grouped = Failed & { resolved: Pick<RunRow['resolved'], 'operation'> }

/** The largest groups and causes first; groups that a divergence explains come last. */
export function failureGroups<R extends Grouped>(
  rows: readonly R[],
  header: RunHeader,
  rulesOf: (row: R) => RuleVerdicts,
  by: Grouping = 'cause',
): FailureGroup<R>[] {
  const groups = new Map<string, FailureGroup<R>>()
  for (const row of rows.filter(isFailure)) {
    const failed =
      row.verdict === 'fail' ? rulesOf(row).flatMap(([id, verdict]) => (verdict === 'fail' ? [id] : [])) : []
    for (const named of namesOf(row, failed, header, by)) {
      const group = groups.get(named.title) ?? { ...named, rows: [], causes: [] }
      groups.set(named.title, group)
      group.rows.push(row)
      addCause(group, row, named.rule, failed)
    }
  }
  const bySize = (a: { rows: R[] }, b: { rows: R[] }) => b.rows.length - a.rows.length
  for (const group of groups.values()) {
    group.causes.sort(bySize)
    for (const { rules } of group.causes) rules.sort(([, a], [, b]) => b - a)
  }
  const isExplained = ({ divergence }: Named): number => (divergence === undefined ? 0 : 1)
  return [...groups.values()].sort((a, b) => isExplained(a) - isExplained(b) || bySize(a, b))
}

/** `failed`: the rules that the row fails. */
function namesOf(row: Grouped, failed: readonly string[], header: RunHeader, by: Grouping): Named[] {
  if (by === 'operation') return [operationGroup(row.resolved.operation)]
  if (by === 'rule') return failed.length > 0 ? failed.map((id) => groupOfRule(id, header)) : [groupOfVerdict(row)]
  const broken = row.known ? undefined : brokenAnswerOf(row)
  if (broken !== undefined) return [plain(broken, 'in place of a valid response')]
  const [divergence] = divergencesBehind(row)
  if (divergence !== undefined) return [groupOfDivergence(divergence, header)]
  return [plain(causeText(row).sentence, row.verdict)]
}

function addCause<R extends Failed>(
  group: FailureGroup<R>,
  row: R,
  rule: string | undefined,
  failed: readonly string[],
): void {
  const text = causeText(row, rule)
  const cause = group.causes.find((known) => known.sentence === text.sentence) ?? { ...text, rows: [], rules: [] }
  if (cause.rows.length === 0) group.causes.push(cause)
  cause.rows.push(row)
  for (const id of failed) {
    const counted = cause.rules.find(([known]) => known === id)
    if (counted) counted[1] += 1
    else cause.rules.push([id, 1])
  }
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

/** The divergence as the profile of the record defines it, or else as the other profiles define it. */
export function divergenceOf(
  { profile, otherProfiles = [] }: Pick<RunHeader, 'profile' | 'otherProfiles'>,
  id: string,
): (RecordedDivergence & { profile: string }) | undefined {
  const own = profile.divergences.some((one) => one.id === id)
  const definitions = (own ? [profile] : otherProfiles).flatMap(({ name, divergences }) =>
    divergences.filter((one) => one.id === id).map((found) => ({ ...found, profile: name })),
  )
  const [first] = definitions
  return first && { ...first, profile: definitions.map((one) => one.profile).join(' and ') }
}
