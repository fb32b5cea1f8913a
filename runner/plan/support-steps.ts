/** The order in which supporting operations make the most rows runnable. */
import { operationNamed } from '../../interface/operations.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import { isCreated, withGiven } from './given-fixtures.js'
import { isOfOtherAuthorization, operationNeeds } from './needed-operations.js'

export interface SupportStep {
  /** Names. Empty for the rows that need no further operation. */
  add: string[]
  /** Rows that this step makes runnable. */
  rows: number
  /** Rows of this step and all before. */
  total: number
}

export interface SupportPlan {
  steps: SupportStep[]
  /** Rows that a participant without tokens and with one synchronizer does not run. */
  others: number
}

interface Start {
  operations: readonly string[]
  /** The settings state parties, contracts and the synchronizer. */
  isGiven: boolean
}

/** For a participant without tokens and with one synchronizer, which has the tested operations. */
export function planSupport(
  { rows, fixtures }: { rows: readonly ResolvedRow[]; fixtures: readonly ResolvedFixture[] },
  { operations, isGiven }: Start,
): SupportPlan {
  const tested = rows.filter(({ operation }) => operations.includes(operation))
  const counted = tested.filter((row) => !isOfOtherConfiguration(row))
  const open = openNeeds(counted, fixtures, new Set(operations), isGiven)
  const steps: SupportStep[] = []
  let add: string[] | undefined = []
  for (let total = 0; add; add = bestAddition([...open.values()])) {
    const added = add
    for (const needed of open.values()) for (const operation of added) needed.delete(operation)
    const ready = [...open].filter(([, needed]) => needed.size === 0).map(([row]) => row)
    for (const row of ready) open.delete(row)
    total += ready.length
    steps.push({ add: added, rows: ready.length, total })
  }
  return { steps, others: tested.length - counted.length }
}

/** Such as `POST /v2/updates`. */
export function callOf(name: string): string {
  const { method = '', path = name } = operationNamed(name) ?? {}
  return `${method} ${path}`
}

const isOfOtherConfiguration = (row: ResolvedRow): boolean =>
  isOfOtherAuthorization(row, false) || row.needs.includes('several-synchronizers') || row.impact === 'hazard'

function openNeeds(
  rows: readonly ResolvedRow[],
  fixtures: readonly ResolvedFixture[],
  present: ReadonlySet<string>,
  isGiven: boolean,
): Map<ResolvedRow, Set<string>> {
  const given = new Map(isGiven ? fixtures.filter(isCreated).map(({ name }) => [name, {}] as const) : [])
  const known = new Map(withGiven({ fixtures: [...fixtures] }, given).fixtures.map((one) => [one.name, one]))
  const local = fixtures.filter(({ party }) => party && !party.external).map(({ name }) => name)
  const supplied = { parties: new Set(isGiven ? local : []), synchronizer: isGiven }
  return new Map(
    rows.map((row) => {
      const needed = operationNeeds(row, known, supplied).map(({ operation }) => operation)
      return [row, new Set(needed.filter((name) => !present.has(name)))]
    }),
  )
}

/**
 * The smallest part, with rows of its own, of the addition that makes the most rows for each operation runnable.
 * Undefined if nothing is open.
 */
function bestAddition(open: readonly ReadonlySet<string>[]): string[] | undefined {
  const distinct = new Map(open.map((needed) => [[...needed].sort().join(' '), needed]))
  const candidates = [...distinct].map(([name, needed]) => {
    const rows = open.filter((other) => isWithin(other, needed)).length
    return { name, needed, rows, ratio: rows / needed.size }
  })
  type Candidate = (typeof candidates)[number]
  const byName = (a: Candidate, b: Candidate): number => (a.name < b.name ? -1 : 1)
  const [best] = candidates.toSorted((a, b) => b.ratio - a.ratio || byName(a, b))
  const parts = candidates.filter(({ needed }) => best && isWithin(needed, best.needed))
  const [first] = parts.toSorted((a, b) => a.needed.size - b.needed.size || b.rows - a.rows || byName(a, b))
  return first && [...first.needed].sort()
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((name) => all.has(name))
