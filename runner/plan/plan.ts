import { createHash } from 'node:crypto'
import type { ResolvedRow } from '../../record/resolved-row.js'
import type { ResolvedFixture, ResolvedSuite } from '../suite/resolved-suite.js'
import type { Capabilities } from '../target/capabilities.js'
import { type Limitations, unlimited, withinLimitations } from './limitations.js'
import { type Means, withinMeans } from './means.js'
import { alternativesOf, mayCommit } from './outcomes.js'
import { useOf } from './presigned-order.js'
import { NothingSelected, type PlannedRow, selectRows } from './select.js'

export interface Plan {
  /** In the order in which they are sent; rows that run alone last, and what may stop the target at the very end. */
  rows: PlannedRow[]
  alone: PlannedRow[]
  /** Rows that will not run, each with its reason. */
  left: PlannedRow[]
  /** Fixtures that the rows need, directly or through others, in the order of the suite. */
  fixtures: ResolvedFixture[]
  /** Transactions that a target of the profile commits at most, for the rows and for their fixtures. */
  transactions: number
}

export interface PlanOptions {
  /** Selects rows by id, operation or rule. */
  only?: string | undefined
  /** The order of the rows follows from it alone, but for those with presigned transactions. */
  seed: string
  limitations?: Limitations | undefined
  /** Who can call, and what is there; everybody and everything unless said. */
  means?: Means | undefined
}

/**
 * Decides what will run before anything is sent. Rows with presigned transactions come one after the other, and what may be
 * executed last. Throws `NothingSelected`, also when no selected row applies.
 */
export function planRun(
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  { only, seed, limitations = unlimited, means }: PlanOptions,
): Plan {
  const selected = decideRows(suite, capabilities, { only, limitations, means })
  const left = selected.filter(({ reason }) => reason !== undefined)
  const runnable = shuffle(
    selected.filter(({ reason }) => reason === undefined),
    seed,
  )
  if (runnable.length === 0) throw noneRuns(left)
  const isHazard = ({ row }: PlannedRow): boolean => row.impact === 'hazard'
  const isAlone = ({ row, presigned }: PlannedRow): boolean => row.alone || presigned !== undefined
  const harmless = runnable.filter((planned) => !isHazard(planned))
  return withCost({
    rows: harmless.filter((planned) => !isAlone(planned)),
    alone: [...harmless.filter(isAlone).toSorted((a, b) => useOf(a) - useOf(b)), ...runnable.filter(isHazard)],
    left,
    fixtures: suite.fixtures,
  })
}

/** The selected rows in the order of the suite, each with the reason why it will not run, if there is one. Throws `NothingSelected`. */
export function decideRows(
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  { only, limitations = unlimited, means }: Omit<PlanOptions, 'seed'>,
): PlannedRow[] {
  const fixtures = new Map(suite.fixtures.map((fixture) => [fixture.name, fixture]))
  return selectRows(suite.rows, only)
    .map((row) => withReason({ row }, capabilities, only))
    .map((planned) => withinAll(planned, fixtures, limitations, means))
}

const noneRuns = (left: readonly PlannedRow[]): NothingSelected =>
  new NothingSelected(`none of the ${left.length} selected rows can run here: ${left[0]?.reason ?? ''}`)

/**
 * The plan once the target is known better: its rows as they are resolved now, without those that need what the target turned
 * out to lack. Throws `NothingSelected` where nothing is left.
 */
export function refinePlan(
  plan: Plan,
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  { only, limitations = unlimited, means }: Pick<PlanOptions, 'only' | 'limitations' | 'means'>,
): Plan {
  const rows = new Map(suite.rows.map((row) => [row.id, row]))
  const fixtures = new Map(suite.fixtures.map((fixture) => [fixture.name, fixture]))
  const anew = (planned: PlannedRow): PlannedRow => {
    const row = rows.get(planned.row.id) ?? planned.row
    if (planned.reason !== undefined) return { ...planned, row }
    return withinAll(withReason({ row }, capabilities, only), fixtures, limitations, means)
  }
  const [running, alone, left] = [plan.rows.map(anew), plan.alone.map(anew), plan.left.map(anew)]
  const runs = ({ reason }: PlannedRow): boolean => reason === undefined
  const dropped = [...running, ...alone].filter((planned) => !runs(planned))
  const refined = { rows: running.filter(runs), alone: alone.filter(runs), left: [...left, ...dropped] }
  if (refined.rows.length + refined.alone.length === 0) throw noneRuns(refined.left)
  return withCost({ ...refined, fixtures: suite.fixtures })
}

/** What the target cannot do comes first: no credential would help. */
function withinAll(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  limitations: Limitations,
  means: Means | undefined,
): PlannedRow {
  if (planned.reason !== undefined) return planned
  const limited = withinLimitations(planned, fixtures, limitations)
  return limited.reason === undefined && means ? withinMeans(limited, fixtures, means) : limited
}

function withReason(planned: PlannedRow, capabilities: Capabilities, only: string | undefined): PlannedRow {
  const { needs, impact, id } = planned.row
  const missing = needs.find((need) => capabilities[need] !== true)
  if (missing !== undefined) {
    const why = capabilities[missing]
    if (typeof why === 'object') return { ...planned, reason: why.hindered, isBlocked: true }
    const cause = typeof why === 'string' ? `: ${why}` : ''
    return { ...planned, reason: `the target lacks the capability ${missing}${cause}` }
  }
  if (impact === 'hazard' && only !== id) {
    return { ...planned, reason: 'may stop a faulty participant: runs only when asked for by its full name' }
  }
  return planned
}

/** `fixtures`: all that there are. */
function withCost(plan: Omit<Plan, 'transactions'>): Plan {
  const running = [...plan.rows, ...plan.alone]
  const needed = new Set(running.flatMap(({ row }) => row.fixtures))
  const fixtures = plan.fixtures.filter(({ name }) => needed.has(name))
  const steps = [...running.flatMap(({ row }) => ownSteps(row)), ...fixtures.flatMap((fixture) => fixture.steps)]
  return { ...plan, fixtures, transactions: steps.filter(mayCommit).length }
}

const ownSteps = ({ steps }: ResolvedRow) => steps.filter(({ role }) => role === 'arrange' || role === 'act')

/** Requests that the plan sends to a conforming target, those of the probes included. */
export const requestCount = ({ rows, alone }: Pick<Plan, 'rows' | 'alone'>): number =>
  [...rows, ...alone].reduce((sum, { row }) => sum + requestsOf(row), 0)

function requestsOf({ steps }: ResolvedRow): number {
  const alternatives = alternativesOf(steps.find(({ role }) => role === 'act'))
  const isAccepted = alternatives.length > 0 && alternatives.every(({ outcome }) => outcome === 'accepted')
  return steps
    .filter(
      ({ sentWhen, presigned }) => !presigned && (sentWhen === undefined || (sentWhen === 'accepted') === isAccepted),
    )
    .reduce((sum, { race }) => sum + (race?.times ?? 1), 0)
}

function shuffle(rows: readonly PlannedRow[], seed: string): PlannedRow[] {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return rows
    .map((planned) => ({ planned, rank: rank(planned.row.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ planned }) => planned)
}
