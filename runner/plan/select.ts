import { createHash } from 'node:crypto'
import { nearest } from '../../lib/suggest.js'
import { UsageError } from '../../lib/usage-error.js'
import { wildcard, wildcardIn } from '../../lib/wildcard.js'
import type { Permission } from '../../record/types/effects.js'
import type { Reason } from '../../record/types/reason.js'
import type { Impact, ResolvedRow } from '../../record/types/resolved-row.js'

export interface PlannedRow {
  row: ResolvedRow
  reason?: Reason
  /** Credentials that would permit the row, by actor. */
  wants?: readonly string[]
  permits?: readonly Permission[]
  /** The row should run, so it counts as blocked. */
  isBlocked?: true
  presigned?: { fixture: string; capture: Record<string, string> }
}

/** An error, because a misspelt filter must not pass. */
export class NothingSelected extends UsageError {
  override readonly name = 'NothingSelected'
}

export interface Selection {
  /** The scope of the run. */
  operations?: readonly string[] | undefined
  /** Patterns for ids, operations and rules; one match suffices. */
  only?: string | readonly string[] | undefined
  not?: readonly string[] | undefined
  impact?: readonly Impact[] | undefined
  failedOf?: { run: string; ids: ReadonlySet<string> } | undefined
  shard?: Shard | undefined
  /** Rules that no earlier configuration examined, and rows that lacked a capability in all of them. */
  rules?: ReadonlySet<string> | undefined
}

/** In file order. A pattern with `*` matches as a whole, another one anywhere. Throws `NothingSelected`. */
export function selectRows(rows: readonly ResolvedRow[], selection: Selection): ResolvedRow[] {
  const { operations, only, not = [], impact, failedOf, shard, rules } = selection
  const ids = new Set(rows.map(({ id }) => id))
  const [matches, isOmitted] = [matcherOf(only, ids), matcherOf(not, ids)]
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
      (rules === undefined || [row.id, ...own].some((id) => rules.has(id)))
    )
  })
  if (selected.length > 0) return selected
  const described = selectionInWords(selection)
  const scope = operations === undefined ? '' : ` of ${operations.join(', ')}`
  const isWhole = described === undefined && patternsOf(only).length === 0
  throw new NothingSelected(
    isWhole ? `the suite has no rows${scope}` : `${explainEmpty(selection, described ?? '')}${scope}`,
  )
}

function explainEmpty({ only, not, impact, operations, failedOf, shard, rules }: Selection, described: string): string {
  if (failedOf?.ids.size === 0) return `no row failed in ${failedOf.run}, so none is selected`
  const isPattern = [not, impact, failedOf, shard, rules].every((one) => one === undefined)
  return isPattern && operations === undefined
    ? unmatched(patternsOf(only))
    : `no row matches the selection ${described}`
}

const unmatched = (patterns: readonly string[]): string =>
  `no row, operation or rule matches ${JSON.stringify(patterns.join(', '))}`

/**
 * A misspelt pattern beside others would omit its rows without a message. `names`: of the whole suite, because
 * operations, shards and configurations may leave a pattern without rows. Throws `NothingSelected`.
 */
export function expectMatches(only: Selection['only'], names: ReadonlySet<string>): void {
  const wrong = patternsOf(only).filter((pattern) => ![...names].some(matcherOf(pattern)))
  const [first] = wrong
  if (first !== undefined) throw new NothingSelected(`${unmatched(wrong)}; ${hintFor(first, names)}`)
}

function hintFor(pattern: string, names: ReadonlySet<string>): string {
  const cases = [...names].map((name) => name.replace(/\/.*/, ''))
  const near = nearest(pattern.replace(/\/?\*+$/, ''), new Set([...cases, ...names]))
  return near === undefined
    ? 'conform list prints the rows, and conform list rules the rules'
    : `did you mean ${JSON.stringify(near)}?`
}

/** Undefined if all rows of the scope are selected. */
export function selectionInWords({ only, not = [], impact, failedOf, shard, rules }: Selection): string | undefined {
  const parts = [
    patternsOf(only).join(', '),
    not.length > 0 ? `not ${not.join(', ')}` : '',
    impact ? `impact ${impact.join(', ')}` : '',
    failedOf ? `failed of ${failedOf.run}` : '',
    shard ? `shard ${shard.index}/${shard.of}` : '',
    rules ? `open rules and rows: ${[...rules].join(', ')}` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join('; ')
}

const patternsOf = (only: Selection['only']): readonly string[] => (typeof only === 'string' ? [only] : (only ?? []))

/** Ignores exclusions. Undefined: every row may be selected. */
export function mayBeSelected({ only, failedOf }: Selection): ((text: string) => boolean) | undefined {
  if (failedOf) return (text) => failedOf.ids.has(text)
  return patternsOf(only).length > 0 ? matcherOf(only) : undefined
}

/** Without probes and restoring steps. */
export function rulesOfRow({ steps }: ResolvedRow): string[] {
  const own = steps.filter(({ role }) => role === 'arrange' || role === 'act')
  const stated = own.flatMap(({ expectations }) => expectations.filter(({ kind }) => statedKinds.has(kind)))
  return [...new Set(stated.flatMap(({ rules }) => rules))]
}

/** The other kinds are implicit. */
const statedKinds: ReadonlySet<string> = new Set(['outcome', 'content', 'winners'])

/** `ids`: each of them selects itself alone, so that a printed command repeats no other row. */
export function matcherOf(patterns: Selection['only'], ids?: ReadonlySet<string>): (text: string) => boolean {
  // An empty pattern is a mistake, such as an unset variable, and matches nothing.
  const tests = patternsOf(patterns).map((pattern) =>
    pattern === '' || pattern.includes('*') || ids?.has(pattern) ? wildcard(pattern) : wildcardIn(pattern),
  )
  return tests.length === 0 ? () => true : (text) => tests.some((test) => test(text))
}

/** Like `matcherOf`, without regard to case. */
export function searchOf(patterns: Selection['only']): (text: string) => boolean {
  const matches = matcherOf(patternsOf(patterns).map((pattern) => pattern.toLowerCase()))
  return (text) => matches(text.toLowerCase())
}

export interface Shard {
  /** From 1. */
  index: number
  of: number
  presigned?: boolean
}

/**
 * The last shard has rows that run alone, hazards, and rows with presigned transactions.
 * @internal
 */
export function shardOf(row: ResolvedRow, { of, presigned }: Shard): number {
  const isTogether =
    row.alone || row.impact === 'hazard' || (presigned === true && row.steps.some((step) => step.presignable))
  return isTogether ? of : 1 + (createHash('sha256').update(row.id).digest().readUInt32BE(0) % of)
}

/** Reads `2/3`. Throws `UsageError`. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.index >= 1 && shard.index <= shard.of) return shard
  throw new UsageError(`shard: expected INDEX/COUNT, such as 2/3, not ${text}`)
}
