import type { Case, Row } from '../suite/suite.js'

/** A row in the plan. `reason` is there when it is known beforehand that it will not run. */
export interface PlannedRow {
  case: Case
  row: Row
  /** `CASE/row`. */
  id: string
  reason?: string
  /** What the row would prepare itself was given: the fixture whose party has signed it, and what the row takes from it. */
  given?: { fixture: string; capture: ReadonlyMap<string, string> }
}

/** Nothing is left to run: a misspelt filter must never look like success. */
export class NothingSelected extends Error {
  override readonly name = 'NothingSelected'
}

/**
 * The rows whose id, operation or rules match the pattern, in the order of the files. `*` stands for any text; a pattern
 * matches anywhere unless it has one. Throws `NothingSelected`.
 */
export function selectRows(cases: readonly Case[], pattern: string | undefined): PlannedRow[] {
  const all = cases.flatMap((suiteCase) =>
    suiteCase.rows.map((row): PlannedRow => ({ case: suiteCase, row, id: `${suiteCase.id}/${row.id}` })),
  )
  const matches = matcherOf(pattern)
  const selected = all.filter(({ case: suiteCase, row, id }) => [id, suiteCase.operation, ...row.rules].some(matches))
  if (selected.length > 0) return selected
  throw new NothingSelected(
    pattern === undefined ? 'the suite has no rows' : `no row, operation or rule matches ${JSON.stringify(pattern)}`,
  )
}

/** Whether a text matches a pattern as `selectRows` takes it; without one everything does. */
export function matcherOf(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  if (!pattern.includes('*')) return (text) => text.includes(pattern)
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const form = new RegExp(`^${escaped}$`, 's')
  return (text) => form.test(text)
}
