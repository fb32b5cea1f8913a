/** Claims follow from the record alone, so `verify` compares them. */
import { createHash } from 'node:crypto'
import { groupBy } from '../lib/group-by.js'
import type { Examination } from '../record/judgements/examination.js'
import { unmetRules } from '../record/judgements/rule-verdicts.js'
import type { Reason } from '../record/types/reason.js'
import type { RecordedConfiguration, RunHeader, RunRecord, RunRow } from '../record/types/record.js'
import type { VerdictCounts } from '../record/types/verdict.js'
import { conclude } from '../reports/summary/conclusion.js'
import { rowTotals } from '../reports/summary/headline.js'
import { inSuiteOrder, isFailure } from '../reports/wording/rows.js'
import { textIdentity } from '../reports/wording/run-text.js'
import { restrictionsIn } from './restrictions.js'

export interface Claims {
  conclusion: string
  counts: VerdictCounts
  planned: number
  judged: number
  passed: number
  executed: number
  run: {
    id: string
    startedAt: string
    endedAt: string
    seed: string
    challenge?: string
    digest: string
  }
  /** The digest covers the expectations of every planned row. */
  profile: { name: string; title: string; digest: string }
  suite: RunHeader['suite']
  operations?: string[]
  text?: RunHeader['text']
  target: RunHeader['target']
  /** Present for several configurations, with digests of their records. */
  configurations?: RecordedConfiguration[]
  allowed: string[]
  notJudged: { reason?: Reason; rows: number }[]
  /** `why`: the most frequent reasons. */
  unexamined: { rule: string; state: Examination; why: Reason[] }[]
  divergences: { id: string; rows: number }[]
  deviations: { row: string; verdict: string; rules: string[] }[]
  waivers: string[]
  restrictions: string[]
}

/** Without a footer, `endedAt` and `digest` are empty. */
export function claimsOf(record: RunRecord): Claims {
  const { header, footer } = record
  const rows = inSuiteOrder(record.rows)
  const { inWords, counts, executed, rules } = conclude(record)
  return {
    conclusion: inWords,
    counts,
    ...rowTotals(header.plan.length, counts),
    executed,
    run: {
      id: header.run,
      startedAt: header.startedAt,
      endedAt: footer?.endedAt ?? '',
      seed: header.seed,
      ...(header.challenge !== undefined && { challenge: header.challenge }),
      digest: footer?.digest ?? '',
    },
    profile: { name: header.profile.name, title: header.profile.title, digest: profileDigest(record) },
    suite: header.suite,
    ...(header.selection?.operations && { operations: header.selection.operations }),
    ...(header.text && { text: textIdentity(header.text) }),
    target: header.target,
    ...(header.configurations && { configurations: header.configurations }),
    allowed: header.allowed ?? [],
    notJudged: notJudgedBy(rows),
    unexamined: rules.flatMap(({ rule, state, causes }) =>
      state === 'examined' ? [] : [{ rule: rule.id, state, why: causes.slice(0, statedCauses).map(([why]) => why) }],
    ),
    divergences: divergencesOf(rows),
    deviations: rows.filter(deviates).map((row) => ({ row: row.id, verdict: row.verdict, rules: unmetRules(row) })),
    waivers: rows.filter(({ verdict }) => verdict === 'excused' || verdict === 'unexpected-pass').map(({ id }) => id),
    restrictions: restrictionsIn(record).map(({ what }) => what),
  }
}

const statedCauses = 2

/** The largest group first. */
function notJudgedBy(rows: readonly RunRow[]): Claims['notJudged'] {
  const found = rows.filter(({ verdict }) => verdict === 'not-applicable' || verdict === 'blocked')
  return [...groupBy(found, ({ reason }) => JSON.stringify(reason))]
    .map(([, [first, ...others]]) => ({
      ...(first?.reason && { reason: first.reason }),
      rows: 1 + others.length,
    }))
    .toSorted((a, b) => b.rows - a.rows)
}

const deviates = (row: RunRow): boolean => isFailure(row) || row.verdict === 'warning'

function divergencesOf(rows: readonly RunRow[]): Claims['divergences'] {
  const found = new Map<string, number>()
  for (const { judgements } of rows) {
    for (const id of new Set(judgements.flatMap(({ divergence }) => divergence ?? [])))
      found.set(id, (found.get(id) ?? 0) + 1)
  }
  return [...found].map(([id, count]) => ({ id, rows: count })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function profileDigest({ header, rows }: RunRecord): string {
  const hash = createHash('sha256').update(JSON.stringify(header.profile))
  for (const { resolved } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    hash.update(`\n${JSON.stringify(resolved)}`)
  return hash.digest('hex')
}
