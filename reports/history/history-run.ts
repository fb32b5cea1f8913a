import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import type { RunFacts, Spread } from '../summary/compared-run.js'
import { cut, visibleLine } from '../wording/hostile-text.js'

const longestVersion = 60

/** Small enough to keep a year of nightly runs in memory. */
export interface HistoryRun {
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
  /** By operation. */
  latency: ReadonlyMap<string, Spread>
}

export function historyRun({ header, rows, counts, conclusion, defects, latency }: RunFacts): HistoryRun {
  const { run, startedAt, merged = [], target, profile, suite } = header
  const where = target.embedded ? 'the embedded simulator' : target.url
  const protocol = target.protocolVersion === undefined ? '' : `, protocol ${target.protocolVersion}`
  return {
    run,
    parts: merged.map((part) => part.run),
    startedAt,
    series: `${where}, profile ${profile.name}`,
    version: cut(visibleLine(`${target.version ?? 'unknown'}${protocol}`), longestVersion),
    suite: `${suite.version} (${suite.digest.slice(0, 8)})`,
    counts,
    inWords: conclusion,
    isWhole: defects.length === 0,
    verdicts: new Map(rows.map(({ id, verdict }) => [id, verdict])),
    flaky: rows.filter(({ repeated = {} }) => Object.keys(repeated).length > 1).map(({ id }) => id),
    latency: new Map(Object.entries(latency)),
  }
}

export const verdictsIn = (runs: readonly HistoryRun[]): Verdict[] =>
  verdicts.filter((verdict) => runs.some(({ counts }) => counts[verdict] > 0))
