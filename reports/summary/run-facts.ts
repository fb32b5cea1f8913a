import { groupBy } from '../../lib/group-by.js'
import { cachedBy } from '../../lib/made-once.js'
import { mapTexts } from '../../record/file/map-texts.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { isComplete } from '../../record/judgements/tally.js'
import type { Judgement, RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { countVerdicts, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { cut } from '../wording/hostile-text.js'
import { inSuiteOrder, isFailure } from '../wording/rows.js'
import { textIdentity } from '../wording/run-text.js'
import { causesOf, faultKeys } from './cause.js'
import type { ComparedHeader, ComparedRow, RuleFacts, RunFacts, SomeCounts, Spread } from './compared-run.js'
import { conclude } from './conclusion.js'
import { isUnmetRule, type RuleLine, ruleMatrix } from './rule-matrix.js'

export const factsOf = cachedBy((record: RunRecord): RunFacts => {
  const { header, defects } = record
  const { inWords, counts, problems } = conclude(record)
  const rows = inSuiteOrder(record.rows)
  return {
    header: comparedHeader(header),
    planned: header.plan.length,
    conclusion: inWords,
    counts,
    isComplete: isComplete(record),
    problems,
    defects,
    causes: causesOf(rows.filter(isFailure)).map(({ sentence, rule, rows: { length } }) => ({
      cause: sentence,
      ...(rule !== undefined && { rule }),
      rows: length,
    })),
    latency: spreadsOf(rows),
    operations: operationsOf(rows),
    rules: ruleMatrix(header, rows.map(rulesOf)).map(ruleFacts),
    rows: rows.map(comparedRow),
  }
})

function comparedHeader(header: RunHeader): ComparedHeader {
  const { run, startedAt, tool, suite, text, target, profile, judgedAgain } = header
  const { only, repeat, callers, allowed, merged } = header
  return {
    run,
    startedAt,
    tool,
    suite,
    target,
    profile: { name: profile.name, title: profile.title },
    ...(text && { text: textIdentity(text) }),
    ...(judgedAgain && { judgedAgain }),
    ...(only !== undefined && { only }),
    ...(repeat !== undefined && { repeat }),
    ...(callers && { callers }),
    ...(allowed && { allowed }),
    ...(merged && { merged }),
  }
}

export function comparedRow(row: RunRow): ComparedRow {
  const { id, verdict, milliseconds, reason, waiver, known, repeated, judgements, evidence } = row
  return {
    id,
    verdict,
    milliseconds: Math.round(milliseconds),
    ...(reason && { reason: mapTexts(reason, short) }),
    ...(waiver && { waiver }),
    ...(known && { known }),
    ...(repeated && { repeated }),
    judgements: judgements.filter(({ met }) => !met).map(shortened),
    faults: verdict === 'pass' ? '' : faultKeys(row),
    sent: evidence.length > 0,
  }
}

const longestText = 2000

const short = (text: string): string => cut(text, longestText)

/** With texts of a length that a report shows. */
export function shortened(judgement: Judgement): Judgement {
  const { wanted, found } = judgement
  return { ...judgement, wanted: wanted.map(short), found: found.map(short) }
}

const operationsOf = (rows: readonly RunRow[]): Record<string, SomeCounts> =>
  Object.fromEntries(
    [...groupBy(rows, ({ resolved }) => resolved.operation)].map(([operation, some]) => [
      operation,
      someCounts(countVerdicts(some.map(({ verdict }) => verdict))),
    ]),
  )

function ruleFacts(rule: RuleLine): RuleFacts {
  const { id, section, statement, counts } = rule
  return {
    id,
    section,
    ...((isUnmetRule(rule) || counts.blocked > 0) && { statement }),
    counts: someCounts(counts),
  }
}

const someCounts = (counts: VerdictCounts): SomeCounts =>
  Object.fromEntries(verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : [])))

function spreadsOf(rows: readonly RunRow[]): Record<string, Spread> {
  const answers = rows.flatMap(({ evidence, resolved: { operation } }) =>
    evidence.flatMap(({ role, response, milliseconds }) =>
      role === 'act' && response ? [{ operation, milliseconds }] : [],
    ),
  )
  return Object.fromEntries(
    [...groupBy(answers, ({ operation }) => operation)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, some]) => [operation, spreadOf(some.map(({ milliseconds }) => milliseconds))]),
  )
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p5: at(0.05), median: at(0.5), p95: at(0.95), answers: sorted.length }
}
