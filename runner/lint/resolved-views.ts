import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { resolveSuite } from '../resolve/resolve-suite.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Location, Suite } from '../suite/suite.js'

/** One view for each profile. */
export interface RowViews {
  case: string
  operation: string
  location: Location
  views: ResolvedRow[]
}

export interface ResolvedViews {
  suites: ResolvedSuite[]
  /** In file order. */
  rows: RowViews[]
}

/** Throws `ResolveError`. */
export function resolvedViews(suite: Suite): ResolvedViews {
  const suites = [...suite.profiles.values()].map((profile) => resolveSuite(suite, profile))
  const byId = suites.map(({ rows }) => new Map(rows.map((row) => [row.id, row])))
  const rows = suite.cases.flatMap(({ id, operation, rows: ofCase }) =>
    ofCase.map((row): RowViews => {
      const views = byId.flatMap((known) => known.get(`${id}/${row.id}`) ?? [])
      return { case: id, operation, location: row.location, views }
    }),
  )
  return { suites, rows }
}
