/** Runs of one participant in the order of time: rows that changed, and flaky rows. */
import { groupBy } from '../../lib/group-by.js'
import type { Verdict } from '../../record/types/verdict.js'
import type { ComparedHeader, RunFacts } from '../summary/compared-run.js'
import { cut, visibleLine } from '../wording/hostile-text.js'

export interface Series {
  /** `http://host:7575, profile canton-3.5` */
  name: string
  /** Oldest first. */
  runs: RunFacts[]
  /** The latest change first. */
  changed: ChangedRow[]
  flaky: FlakyRow[]
}

export interface ChangedRow {
  id: string
  /** In the order of the runs; undefined in a run without the row. */
  verdicts: (Verdict | undefined)[]
  /** Index of the run with the last change. */
  last: number
}

export interface FlakyRow {
  id: string
  /** Changes between runs with the same versions of target and suite. */
  flips: number
  runs: number
  /** Runs that repeated the row and found several verdicts. */
  within: number
}

/** One change can be a new or fixed fault. */
const fewestFlips = 2

/** Target and profile: the runs of one series are nights of one participant. */
export function seriesOf(runs: readonly RunFacts[]): Series[] {
  // A merged run replaces its parts.
  const parts = new Set(runs.flatMap(({ header }) => header.merged?.map(({ run }) => run) ?? []))
  const whole = runs.filter(({ header }) => !parts.has(header.run))
  const sorted = whole.toSorted((a, b) => (a.header.startedAt < b.header.startedAt ? -1 : 1))
  return [...groupBy(sorted, ({ header }) => seriesName(header))].map(([name, alike]) => {
    const nights = alike.map(nightOf)
    return { name, runs: alike, changed: changedRows(nights), flaky: flakyRows(nights) }
  })
}

const seriesName = ({ target, profile }: ComparedHeader): string =>
  `${target.embedded ? 'the embedded simulator' : target.url}, profile ${profile.name}`

const longestVersion = 60

/** `3.5.10, protocol 34` */
export function versionOf({ target }: ComparedHeader): string {
  const protocol = target.protocolVersion === undefined ? '' : `, protocol ${target.protocolVersion}`
  return cut(visibleLine(`${target.version ?? 'unknown'}${protocol}`), longestVersion)
}

/** `2026.11 (9f86d081)` */
export const suiteVersionOf = ({ suite }: ComparedHeader): string => `${suite.version} (${suite.digest.slice(0, 8)})`

interface Night {
  versions: string
  verdicts: ReadonlyMap<string, Verdict>
  flaky: ReadonlySet<string>
}

const nightOf = ({ header, rows }: RunFacts): Night => ({
  versions: JSON.stringify([versionOf(header), suiteVersionOf(header)]),
  verdicts: new Map(rows.map(({ id, verdict }) => [id, withoutWaiver(verdict)])),
  flaky: new Set(rows.filter(({ repeated = {} }) => Object.keys(repeated).length > 1).map(({ id }) => id)),
})

/** A new waiver file changes no behaviour of the participant. */
function withoutWaiver(verdict: Verdict): Verdict {
  if (verdict === 'excused') return 'fail'
  return verdict === 'unexpected-pass' ? 'pass' : verdict
}

const idsOf = (nights: readonly Night[]): string[] =>
  [...new Set(nights.flatMap(({ verdicts }) => [...verdicts.keys()]))].sort()

function changedRows(nights: readonly Night[]): ChangedRow[] {
  const rows = idsOf(nights).flatMap((id): ChangedRow[] => {
    const verdicts = nights.map((night) => night.verdicts.get(id))
    const last = changesIn(verdicts).at(-1)
    return last === undefined ? [] : [{ id, verdicts, last }]
  })
  return rows.sort((a, b) => b.last - a.last)
}

/** Indexes of the runs whose verdict differs from that of the previous run with the row. */
function changesIn(verdicts: readonly (Verdict | undefined)[]): number[] {
  let before: Verdict | undefined
  return verdicts.flatMap((verdict, index) => {
    if (verdict === undefined) return []
    const isOther = before !== undefined && before !== verdict
    before = verdict
    return isOther ? [index] : []
  })
}

function flakyRows(nights: readonly Night[]): FlakyRow[] {
  const found = new Map<string, FlakyRow>()
  for (const alike of groupBy(nights, ({ versions }) => versions).values()) {
    for (const id of idsOf(alike)) {
      const verdicts = alike.map((night) => night.verdicts.get(id))
      const row = found.get(id) ?? { id, flips: 0, runs: 0, within: 0 }
      row.flips += changesIn(verdicts).length
      row.runs += verdicts.filter((verdict) => verdict !== undefined).length
      row.within += alike.filter(({ flaky }) => flaky.has(id)).length
      found.set(id, row)
    }
  }
  const isFlaky = ({ flips, within }: FlakyRow): boolean => flips >= fewestFlips || within > 0
  return [...found.values()].filter(isFlaky).sort((a, b) => b.flips + b.within - a.flips - a.within)
}
