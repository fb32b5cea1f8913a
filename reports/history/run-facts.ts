import type { RunRecord } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { cut, visibleLine } from '../wording/hostile-text.js'

/** The times that 5 %, half and 95 % of the answers kept, in milliseconds. */
export interface Spread {
  p5: number
  median: number
  p95: number
  answers: number
}

/** A target may call itself anything. */
const longestVersion = 60

/** What a history keeps of a run: so little that a year of nights fits into memory. */
export interface RunFacts {
  run: string
  /** The runs that it was put together of. */
  parts: readonly string[]
  startedAt: string
  /** What is compared: runs of another target or profile say nothing of each other. */
  series: string
  /** Version of the target, and protocol version. */
  version: string
  /** Version of the suite, with the beginning of its digest. */
  suite: string
  counts: VerdictCounts
  inWords: string
  isWhole: boolean
  verdicts: ReadonlyMap<string, Verdict>
  /** Rows that did not always come to the same in this run. */
  flaky: readonly string[]
  /** By operation: how long the requests under test took. */
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
    series: `${where} by ${profile.name}`,
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
  const times = new Map<string, number[]>()
  for (const { evidence, resolved } of rows) {
    for (const { role, response, milliseconds } of evidence) {
      if (role !== 'act' || !response) continue
      const known = times.get(resolved.operation)
      if (known) known.push(milliseconds)
      else times.set(resolved.operation, [milliseconds])
    }
  }
  return new Map(
    [...times].sort(([a], [b]) => (a < b ? -1 : 1)).map(([operation, some]) => [operation, spreadOf(some)]),
  )
}

/** `times` holds at least one. */
function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p5: at(0.05), median: at(0.5), p95: at(0.95), answers: sorted.length }
}

/** Verdicts that rows of the runs have, in the usual order. */
export const verdictsIn = (runs: readonly RunFacts[]): Verdict[] =>
  verdicts.filter((verdict) => runs.some(({ counts }) => counts[verdict] > 0))
