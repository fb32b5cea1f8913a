import { groupBy } from '../../lib/group-by.js'
import type { RunRecord } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { cut, visibleLine } from '../wording/hostile-text.js'

/** Percentiles, in milliseconds. */
export interface Spread {
  p5: number
  median: number
  p95: number
  answers: number
}

const longestVersion = 60

/** Small enough to keep a year of nightly runs in memory. */
export interface RunFacts {
  run: string
  parts: readonly string[]
  startedAt: string
  /** Target and profile: only runs of one series are compared. */
  series: string
  version: string
  suite: string
  counts: VerdictCounts
  inWords: string
  isWhole: boolean
  verdicts: ReadonlyMap<string, Verdict>
  flaky: readonly string[]
  /** Response times of the requests under test, by operation. */
  latency: ReadonlyMap<string, Spread>
}

export function factsOf(record: RunRecord): RunFacts {
  const { header, rows, defects } = record
  const { target, profile, suite } = header
  const { counts, inWords } = conclude(record)
  const where = target.embedded ? 'the embedded simulator' : target.url
  const protocol = target.protocolVersion === undefined ? '' : `, protocol ${target.protocolVersion}`
  return {
    run: header.run,
    parts: header.merged?.map(({ run }) => run) ?? [],
    startedAt: header.startedAt,
    series: `${where}, profile ${profile.name}`,
    version: cut(visibleLine(`${target.version ?? 'unknown'}${protocol}`), longestVersion),
    suite: `${suite.version} (${suite.digest.slice(0, 8)})`,
    counts,
    inWords,
    isWhole: defects.length === 0,
    verdicts: new Map(rows.map(({ id, verdict }) => [id, verdict])),
    flaky: rows.filter(({ repeated = {} }) => Object.keys(repeated).length > 1).map(({ id }) => id),
    latency: spreads(record),
  }
}

function spreads({ rows }: RunRecord): Map<string, Spread> {
  const answers = rows.flatMap(({ evidence, resolved: { operation } }) =>
    evidence.flatMap(({ role, response, milliseconds }) =>
      role === 'act' && response ? [{ operation, milliseconds }] : [],
    ),
  )
  return new Map(
    [...groupBy(answers, ({ operation }) => operation)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, some]) => [operation, spreadOf(some.map(({ milliseconds }) => milliseconds))]),
  )
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p5: at(0.05), median: at(0.5), p95: at(0.95), answers: sorted.length }
}

export const verdictsIn = (runs: readonly RunFacts[]): Verdict[] =>
  verdicts.filter((verdict) => runs.some(({ counts }) => counts[verdict] > 0))
