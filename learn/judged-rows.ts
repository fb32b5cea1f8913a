import type { ResolvedRow } from '../record/types/resolved-row.js'
import { judgeRow, type RowVerdict } from '../runner/judge/judge-row.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { ObservedRow, ObservedRun } from './observed-run.js'

/** One observed row, resolved by the base profile and by the text. */
export interface JudgedRow {
  observed: ObservedRow
  base: ResolvedRow
  text: ResolvedRow
}

export interface JudgedRun {
  run: ObservedRun
  rows: JudgedRow[]
  /** Ids that the suite lacks, or whose requests differ. */
  unknown: string[]
}

/** Throws `ResolveError`. */
export function judgedRun(run: ObservedRun, suite: Suite, base: Profile, text: Profile): JudgedRun {
  const byBase = rowsBy(suite, base, run)
  const byText = rowsBy(suite, text, run)
  const unknown: string[] = []
  const rows = run.rows.flatMap((observed): JudgedRow[] => {
    const [one, other] = [byBase.get(observed.id), byText.get(observed.id)]
    if (one && other && observed.fits(one)) return [{ observed, base: one, text: other }]
    unknown.push(observed.id)
    return []
  })
  return { run, rows, unknown }
}

/** The observed rows, by id. */
export function rowsBy(
  suite: Suite,
  profile: Profile,
  { protocolVersion, rows }: ObservedRun,
): Map<string, ResolvedRow> {
  const ids = new Set(rows.map(({ id }) => id))
  const resolved = resolveSuite(suite, profile, protocolVersion, (text) => ids.has(text))
  return new Map(resolved.rows.map((row) => [row.id, row]))
}

export const verdictOf = (row: ResolvedRow, { evidence, variables, stopped }: ObservedRow): RowVerdict =>
  judgeRow(row, { evidence, variables, stopped })
