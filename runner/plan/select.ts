import type { Permission } from '../../record/effects.js'
import type { ResolvedRow } from '../../record/resolved-row.js'

/** A row in the plan. `reason` is there when it is known beforehand that it will not run. */
export interface PlannedRow {
  row: ResolvedRow
  reason?: string
  /** Credentials that would let it run, by the names of actors. */
  wants?: readonly string[]
  /** What the run would have to be permitted to do for it; nothing else stands in the way. */
  permits?: readonly Permission[]
  /** It would have to run: that it does not stands against the run. */
  isBlocked?: true
  /** What the row would prepare itself was presigned: the fixture whose party has signed it, and what the row takes from it. */
  presigned?: { fixture: string; capture: Record<string, string> }
}

/** Nothing is left to run: a misspelt filter must never look like success. */
export class NothingSelected extends Error {
  override readonly name = 'NothingSelected'
}

/**
 * The rows whose id, operation or rules match the pattern, in the order of the files. `*` stands for any text; a pattern
 * matches anywhere unless it has one. Throws `NothingSelected`.
 */
export function selectRows(rows: readonly ResolvedRow[], pattern: string | undefined): ResolvedRow[] {
  const matches = matcherOf(pattern)
  const selected = rows.filter((row) => [row.id, row.operation, ...rulesOfRow(row)].some(matches))
  if (selected.length > 0) return selected
  throw new NothingSelected(
    pattern === undefined ? 'the suite has no rows' : `no row, operation or rule matches ${JSON.stringify(pattern)}`,
  )
}

/** The rules that the suite says a row is about: those of what it expects of its own steps. */
export function rulesOfRow({ steps }: ResolvedRow): string[] {
  const own = steps.filter(({ role }) => role === 'arrange' || role === 'act')
  const said = own.flatMap(({ expectations }) => expectations.filter(({ kind }) => isSaid.has(kind)))
  return [...new Set(said.flatMap(({ rules }) => rules))]
}

/** Kinds of expectations that suites state themselves; the others are added to every row. */
const isSaid: ReadonlySet<string> = new Set(['outcome', 'content', 'winners'])

/** Whether a text matches a pattern as `selectRows` takes it; without one everything does. */
export function matcherOf(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  if (!pattern.includes('*')) return (text) => text.includes(pattern)
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const whole = new RegExp(`^${escaped}$`, 's')
  return (text) => whole.test(text)
}
