import { createHash } from 'node:crypto'
import { UsageError } from '../../lib/usage-error.js'
import { waiversOf, withWaivers } from '../judgements/waivers.js'
import type { Made, RecordedRefusal } from '../types/effects.js'
import type {
  OracleFinding,
  OraclesLine,
  RecordedVariables,
  RunHeader,
  RunRecord,
  RunRow,
  RunSummary,
} from '../types/record.js'
import type { RecordedSelection } from '../types/recorded-options.js'
import type { RecordedWant } from '../types/recorded-target.js'

const notMerged = (why: string): UsageError => new UsageError(`merge: ${why}`)

export interface MergedRuns {
  header: RunHeader
  rows: RunRow[]
  oracles?: OraclesLine
  summary: RunSummary
}

/**
 * Throws `UsageError` if runs differ in suite, profile, target or program, share a row, or are incomplete.
 * @example
 * const { header, rows } = mergeRecords(shards)
 * rows.length === header.plan.length // true
 */
export function mergeRecords(records: readonly RunRecord[]): MergedRuns {
  const [first, ...others] = records.toSorted((a, b) => partOf(a.header) - partOf(b.header))
  if (!first) throw notMerged('no run is given')
  for (const record of [first, ...others]) expectComplete(record)
  for (const other of others) expectSame(first.header, other.header)
  const all = [first, ...others]
  const headers = all.map(({ header }) => header)
  const plan = headers.flatMap((header) => header.plan)
  expectOnce(plan)
  const variables = commonVariables(headers)
  // A pattern may match rows of other shards.
  const waivers = waiversOf({ ...first.header, plan })
  return {
    header: mergedHeader(first.header, headers, plan, variables),
    rows: all.flatMap(({ header, rows }) =>
      rows.map((row) => withOwnVariables(withWaivers(row, waivers), header, variables)),
    ),
    ...mergedOracles(all.flatMap(({ oracles }) => oracles?.findings ?? [])),
    summary: mergedSummary(all),
  }
}

const partOf = ({ selection }: RunHeader): number => selection?.shard?.index ?? 0

function expectComplete({ header, footer, defects }: RunRecord): void {
  if (footer?.ended) throw notMerged(`the run ${header.run} is incomplete: it ended early (${footer.ended.cause})`)
  if (defects[0] !== undefined) throw notMerged(`the run ${header.run} is incomplete: ${defects[0]}`)
  if (header.configurations)
    throw notMerged(`the run ${header.run} has several configurations; merge the shards of one configuration`)
  if (header.judgedAgain)
    throw notMerged(`the run ${header.run} was judged again by another profile; merge the original runs`)
}

/** Of a profile file, short enough for a message. */
export const textDigest = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : createHash('sha256').update(text).digest('hex').slice(0, 12)

function expectSame(first: RunHeader, other: RunHeader): void {
  const compared: [what: string, of: (header: RunHeader) => unknown][] = [
    ['tool', ({ tool }) => `${tool.name} ${tool.version}`],
    ['suite', ({ suite }) => suite.digest],
    ['profile', ({ profile }) => profile.name],
    ['profile file', ({ profile }) => textDigest(profile.file?.text)],
    ['target', ({ target }) => (target.embedded ? 'the embedded simulator' : target.url)],
    ['version of the target', ({ target }) => target.version],
    ['protocol version', ({ target }) => target.protocolVersion],
    ['authorization', ({ target }) => target.authorization],
    ['repetitions', ({ repeat }) => repeat ?? 1],
    ['permission', ({ allowed }) => allowed?.join(', ')],
    ['waivers', ({ waivers }) => JSON.stringify(waivers)],
  ]
  for (const [what, of] of compared) {
    const [one, two] = [of(first), of(other)]
    if (one !== two)
      throw notMerged(
        `the runs ${first.run} and ${other.run} differ in their ${what}: ${String(one)} and ${String(two)}`,
      )
  }
}

function expectOnce(plan: readonly string[]): void {
  const seen = new Set<string>()
  for (const id of plan) {
    if (seen.has(id)) throw notMerged(`the row ${id} is in two runs; merge runs without common rows`)
    seen.add(id)
  }
}

function commonVariables(headers: readonly RunHeader[]): RecordedVariables {
  const [first, ...others] = headers
  return Object.fromEntries(
    Object.entries(first?.variables ?? {}).filter(([name, value]) =>
      others.every((other) => other.variables?.[name] === value),
    ),
  )
}

function withOwnVariables(row: RunRow, { variables = {}, redacted }: RunHeader, common: RecordedVariables): RunRow {
  // An unsent row used no variables.
  if (row.evidence.length === 0) return row
  const own = Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in common)))
  return { ...row, variables: { ...own, ...row.variables }, ...(redacted && { redacted }) }
}

/** Not copied from the first run. */
const ofEachRun = ['selection', 'only', 'redacted', 'wants', 'refusals', 'minJudged', 'settings'] as const

function mergedHeader(first: RunHeader, headers: RunHeader[], plan: string[], variables: RecordedVariables): RunHeader {
  const common: RunHeader = { ...first }
  for (const name of ofEachRun) delete common[name]
  const made = headers.flatMap((header) => header.made ?? [])
  const controls = headers.flatMap((header) => header.controls ?? [])
  return {
    ...common,
    run: headers.map(({ run }) => run).join('+'),
    ...selectionOf(headers),
    startedAt: headers.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    plan,
    variables,
    ...(made.length > 0 && { made: madeByAll(made) }),
    ...(controls.length > 0 && { controls }),
    support: [
      ...new Map(
        headers.flatMap(({ support = [] }) => support).map((check) => [`${check.what} ${check.met}`, check]),
      ).values(),
    ],
    capabilities: Object.fromEntries(headers.flatMap(({ capabilities }) => Object.entries(capabilities))),
    ...summed(headers),
    merged: headers.map(({ run, seed, selection }) => ({
      run,
      seed,
      ...(selection?.shard && { shard: selection.shard }),
    })),
  }
}

function selectionOf(headers: readonly RunHeader[]): { only?: string; selection?: RecordedSelection } {
  const parts = headers.map(({ selection = {} }) => selection)
  const rest = ({ shard: _, ...others }: RecordedSelection): string => JSON.stringify(others)
  const [first = {}] = parts
  const indexes = new Set(parts.map(({ shard }) => shard?.index))
  const isOneRun = parts.every((part) => rest(part) === rest(first) && part.shard?.of === first.shard?.of)
  if (isOneRun && first.shard && indexes.size === first.shard.of) {
    const { shard: _, ...selection } = first
    const only = headers[0]?.only?.replace(/(?:; )?shard \d+\/\d+$/, '')
    if (only) return { only, selection }
    return selection.operations ? { selection } : {}
  }
  const selected = headers.flatMap(({ only }) => only ?? [])
  return selected.length === 0 ? {} : { only: selected.join(' | ') }
}

export const madeByAll = (made: readonly Made[]): Made => {
  const each = (of: (one: Made) => string[]): string[] => [...new Set(made.flatMap(of))]
  return {
    parties: each(({ parties }) => parties),
    users: each(({ users }) => users),
    rights: made.flatMap(({ rights }) => rights),
    contracts: each(({ contracts }) => contracts),
    packages: each(({ packages }) => packages),
  }
}

function summed(headers: readonly RunHeader[]): { wants?: RecordedWant[]; refusals?: RecordedRefusal[] } {
  const add = <One extends { rows: number }>(all: readonly One[], keyOf: (one: One) => string): One[] => {
    const sums = new Map<string, One>()
    for (const one of all) sums.set(keyOf(one), { ...one, rows: one.rows + (sums.get(keyOf(one))?.rows ?? 0) })
    return [...sums.values()].toSorted((a, b) => b.rows - a.rows)
  }
  const wants = add(
    headers.flatMap((header) => header.wants ?? []),
    ({ credentials, permissions = [] }) => [...credentials, '', ...permissions].join(),
  )
  const refusals = add(
    headers.flatMap((header) => header.refusals ?? []),
    ({ permissions }) => permissions.join(),
  )
  return { ...(wants.length > 0 && { wants }), ...(refusals.length > 0 && { refusals }) }
}

/** The rows have the verdicts of these findings already. The reads belong to the records of the runs. */
export const mergedOracles = (findings: OracleFinding[]): { oracles?: OraclesLine } =>
  findings.length > 0 ? { oracles: { type: 'oracles', reads: [], findings } } : {}

export function mergedSummary(records: readonly RunRecord[]): RunSummary {
  const footers = records.flatMap(({ footer }) => footer ?? [])
  const endedAt =
    footers
      .map((footer) => footer.endedAt)
      .toSorted()
      .at(-1) ?? ''
  const startedAt = records.map(({ header }) => header.startedAt).toSorted()[0] ?? endedAt
  const texts = (of: (footer: (typeof footers)[number]) => string[] | undefined): string[] =>
    [...new Set(footers.flatMap((footer) => of(footer) ?? []))].toSorted()
  const outages = footers.flatMap((footer) => footer.outages ?? [])
  const [withdrawn, left] = [texts((footer) => footer.withdrawn), texts((footer) => footer.left)]
  return {
    endedAt,
    milliseconds: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    ...(outages.length > 0 && { outages }),
    vetting: texts((footer) => footer.vetting),
    transactions: footers.reduce((sum, { transactions = 0 }) => sum + transactions, 0),
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(left.length > 0 && { left }),
  }
}
