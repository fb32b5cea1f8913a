import type { Permission } from '../../record/types/effects.js'
import type { Impact, ResolvedRow } from '../../record/types/resolved-row.js'
import { type Shard, shardOf } from './shard.js'

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

/** Which rows are meant; without any member, all of them. */
export interface Selection {
  /** The scope of the run: the rows of these operations are all its rows, so that they can come to a conclusion. */
  operations?: readonly string[] | undefined
  /** By id, operation or rule; one of several patterns is enough. */
  only?: string | readonly string[] | undefined
  /** The same, of what is left out. */
  not?: readonly string[] | undefined
  /** What rows do to a target that conforms. */
  impact?: readonly Impact[] | undefined
  /** Rows that failed in an earlier run, by their ids. */
  failedOf?: { run: string; ids: ReadonlySet<string> } | undefined
  shard?: Shard | undefined
  /** Rules that no configuration before this one examined: rows about others have nothing to add. */
  rules?: ReadonlySet<string> | undefined
}

/**
 * The rows that are meant, in the order of the files. In patterns `*` stands for any text; one without it matches anywhere.
 * Throws `NothingSelected`.
 */
export function selectRows(rows: readonly ResolvedRow[], selection: Selection): ResolvedRow[] {
  const { operations, only, not = [], impact, failedOf, shard, rules } = selection
  const [matches, isOmitted] = [matcherOf(only), matcherOf(not)]
  const selected = rows.filter((row) => {
    const own = rulesOfRow(row)
    const texts = [row.id, row.operation, ...own]
    return (
      (operations === undefined || operations.includes(row.operation)) &&
      texts.some(matches) &&
      !(not.length > 0 && texts.some(isOmitted)) &&
      (impact === undefined || impact.includes(row.impact)) &&
      (failedOf === undefined || failedOf.ids.has(row.id)) &&
      (shard === undefined || shardOf(row, shard) === shard.index) &&
      (rules === undefined || own.some((rule) => rules.has(rule)))
    )
  })
  if (selected.length > 0) return selected
  const asked = selectionInWords(selection)
  const scope = operations === undefined ? '' : ` of ${operations.join(', ')}`
  throw new NothingSelected(asked === undefined ? `the suite has no rows${scope}` : nothingFor(selection, asked))
}

function nothingFor({ only, not, impact, failedOf, shard, rules }: Selection, asked: string): string {
  if (failedOf?.ids.size === 0) return `no row failed in ${failedOf.run}: nothing is to be run again`
  const isPattern = [not, impact, failedOf, shard, rules].every((one) => one === undefined)
  return isPattern
    ? `no row, operation or rule matches ${JSON.stringify(patternsOf(only).join(', '))}`
    : `no row is meant by ${asked}`
}

/** Which rows of the scope are meant, for people; undefined where all of them are. */
export function selectionInWords({ only, not = [], impact, failedOf, shard, rules }: Selection): string | undefined {
  const parts = [
    patternsOf(only).join(', '),
    not.length > 0 ? `not ${not.join(', ')}` : '',
    impact ? `impact ${impact.join(', ')}` : '',
    failedOf ? `failed of ${failedOf.run}` : '',
    shard ? `shard ${shard.index}/${shard.of}` : '',
    rules ? `rules ${[...rules].join(', ')}` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join('; ')
}

const patternsOf = (only: Selection['only']): readonly string[] => (typeof only === 'string' ? [only] : (only ?? []))

/** Whether a row may be meant that has this text as its id, operation or rule: what is left out otherwise still is in. */
export const mayBeMeant = ({ only, failedOf }: Selection): ((text: string) => boolean) =>
  failedOf ? (text) => failedOf.ids.has(text) : matcherOf(only)

/** The rules that the suite says a row is about: those of what it expects of its own steps. */
export function rulesOfRow({ steps }: ResolvedRow): string[] {
  const own = steps.filter(({ role }) => role === 'arrange' || role === 'act')
  const said = own.flatMap(({ expectations }) => expectations.filter(({ kind }) => isSaid.has(kind)))
  return [...new Set(said.flatMap(({ rules }) => rules))]
}

/** Kinds of expectations that suites state themselves; the others are added to every row. */
const isSaid: ReadonlySet<string> = new Set(['outcome', 'content', 'winners'])

/** Whether a text matches one of the patterns as `selectRows` takes them; without any everything does. */
export function matcherOf(patterns: Selection['only']): (text: string) => boolean {
  const tests = patternsOf(patterns).map(testOf)
  return tests.length === 0 ? () => true : (text) => tests.some((test) => test(text))
}

function testOf(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text.includes(pattern)
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const whole = new RegExp(`^${escaped}$`, 's')
  return (text) => whole.test(text)
}
