import type { Reason } from '../types/reason.js'
import type { Judgement, RecordedRule, RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { Verdict } from '../types/verdict.js'
import { countingJudgements, unmetVerdict } from './counting-judgements.js'
import { isOutsideConfiguration } from './outside-configuration.js'
import { isOpen, type RuleVerdicts, rulesOf } from './rule-verdicts.js'

/**
 * `examined`: a judgement can fail for a participant that breaks the rule. `untestable`: no answer shows it. `outside`:
 * the configuration lacks its condition. `open`: the profile permits every answer. `missing`: another run can examine
 * it.
 */
export type Examination = 'examined' | 'untestable' | 'outside' | 'open' | 'missing'

interface RuleState {
  state: Examination
  /** Most frequent first. */
  causes: [why: Reason, rows: number][]
}

export interface RuleExamination extends RuleState {
  rule: RecordedRule
}

export type ExaminedHeader = Pick<
  RunHeader,
  'rules' | 'profile' | 'capabilities' | 'variables' | 'selection' | 'configurations'
>

const silent: readonly Verdict[] = ['not-applicable', 'blocked', 'error']

/** Every mandatory rule in scope. Facts are not mandatory if the text alone judges. */
export function examineRules(header: ExaminedHeader, rows: Iterable<RunRow>): RuleExamination[] {
  const found = new Map<string, RuleState>()
  // More rows cannot change a rule that is examined.
  const isUnexamined = ([rule]: RuleVerdicts[number]): boolean => found.get(rule)?.state !== 'examined'
  for (const row of rows) {
    const left = rulesOf(row).filter(isUnexamined)
    if (left.length === 0) continue
    for (const [id, state, why] of statesIn(row, left, header)) add(found, id, state, why)
  }
  return header.rules
    .filter((rule) => isMandatory(rule, header) && (found.has(rule.id) || isInScope(rule, header)))
    .map((rule) => ({ ...(found.get(rule.id) ?? withoutRows(rule)), rule }))
}

/**
 * What another configuration can add: ids of rules, and of rows that lacked a capability. Other rows may examine the rule of such a row: a
 * fault on a second synchronizer stayed unseen.
 */
export const leftOpen = ({ header, rows }: RunRecord): Set<string> =>
  new Set([
    ...examineRules(header, rows).flatMap(({ rule, state }) =>
      state === 'missing' || state === 'outside' ? [rule.id] : [],
    ),
    ...rows.flatMap(({ id, reason }) => (reason?.code === 'lacks-capability' ? [id] : [])),
  ])

const isMandatory = ({ strength, factOf }: RecordedRule, { profile }: ExaminedHeader): boolean =>
  strength === 'must' && !(factOf !== undefined && profile.basis === 'text')

/** A rule without operations is in scope if a row in scope judges it, or if it is untestable. */
function isInScope({ operations, untestable }: RecordedRule, { selection }: ExaminedHeader): boolean {
  const scope = selection?.operations
  if (scope === undefined) return true
  return operations === undefined ? untestable !== undefined : operations.some((name) => scope.includes(name))
}

const withoutRows = ({ untestable }: RecordedRule): RuleState =>
  untestable === undefined
    ? { state: 'missing', causes: [[{ code: 'not-covered' }, 0]] }
    : { state: 'untestable', causes: [[{ code: 'unobservable', message: untestable }, 0]] }

const order: readonly Examination[] = ['examined', 'missing', 'outside', 'open', 'untestable']

function add(found: Map<string, RuleState>, id: string, state: Examination, why: Reason | undefined): void {
  const before = found.get(id)
  if (before && order.indexOf(before.state) < order.indexOf(state)) return
  const causes = before?.state === state ? [...before.causes] : []
  if (why) {
    const key = JSON.stringify(why)
    const index = causes.findIndex(([known]) => JSON.stringify(known) === key)
    const [known, rows] = causes[index] ?? [why, 0]
    causes.splice(index < 0 ? causes.length : index, 1, [known, rows + 1])
  }
  found.set(id, { state, causes: causes.toSorted(([, a], [, b]) => b - a) })
}

/** `why`: absent if examined. */
type RowState = [rule: string, state: Examination, why?: Reason]

function statesIn(row: RunRow, rules: RuleVerdicts, header: ExaminedHeader): RowState[] {
  if (silent.includes(row.verdict)) {
    const state = stateOfSilent(row, header)
    return rules.map(([rule]): RowState => [rule, state, causeOf(row)])
  }
  const judgements = countingJudgements(row)
  return rules.map(([rule, verdict]): RowState => {
    const own = judgements.filter(({ rules }) => rules.includes(rule))
    const isExamined = !silent.includes(verdict) && (own.length === 0 || own.some((one) => couldFail(one, row)))
    return isExamined ? [rule, 'examined'] : [rule, 'open', { code: 'all-permitted', profile: header.profile.name }]
  })
}

const causeOf = ({ reason = { code: 'not-judged' } }: { reason?: Reason }): Reason => reason

/** `open` if the participant declined an optional feature. */
function stateOfSilent(row: RunRow, header: ExaminedHeader): Examination {
  if (isOutsideConfiguration(row, header)) return 'outside'
  return row.verdict === 'not-applicable' && row.evidence.length > 0 ? 'open' : 'missing'
}

const couldFail = (judgement: Judgement, { resolved }: RunRow): boolean =>
  !judgement.met || (unmetVerdict(judgement) !== 'not-applicable' && !isOpen(judgement, resolved))
