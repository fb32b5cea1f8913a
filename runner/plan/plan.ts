import { createHash } from 'node:crypto'
import { allowWords, type Permission, permissionNames } from '../../record/types/effects.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { ResolvedFixture, ResolvedSuite } from '../suite/resolved-suite.js'
import type { Capabilities } from '../target/capabilities.js'
import type { Permissions } from '../target/permissions.js'
import { type Availability, applyAvailability } from './availability.js'
import { transactionCount } from './cost.js'
import { applyLimitations, type Limitations, presignedControl, unlimited } from './limitations.js'
import { usageRank } from './presigned-order.js'
import { requiredPermissions } from './required-permissions.js'
import { type PlannedRow, type Selection, selectRows } from './select.js'

export interface Plan {
  /** In the order in which they are sent; rows that run alone last, and what may stop the target at the very end. */
  rows: PlannedRow[]
  alone: PlannedRow[]
  /** Rows that will not run, each with its reason. */
  left: PlannedRow[]
  /** Fixtures that the rows need, directly or through others, in the order of the suite. */
  fixtures: ResolvedFixture[]
  /** Transactions that a target of the profile commits at most, for the rows, their probes and their fixtures. */
  transactions: number
}

/** What keeps rows from running. */
interface Gates {
  /** Operations that the target does not have, each with the cause; none unless said. */
  absent?: ReadonlyMap<string, string> | undefined
  limitations?: Limitations | undefined
  /** Who can call, and what is there; everybody and everything unless said. */
  availability?: Availability | undefined
  /** What the run may do. */
  allowed?: Permissions | undefined
}

export interface PlanOptions extends Gates, Selection {
  /** The order of the rows follows from it alone, but for those with presigned transactions, and those that wait, which come first. */
  seed: string
}

/**
 * Decides what will run before anything is sent. Rows with presigned transactions come one after the other, and what may be
 * executed last. Throws `NothingSelected`.
 */
export function planRun(
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  { seed, ...choices }: PlanOptions,
): Plan {
  const selected = decideRows(suite, capabilities, choices)
  const left = selected.filter(({ reason }) => reason !== undefined)
  const runnable = shuffle(
    selected.filter(({ reason }) => reason === undefined),
    seed,
  )
  const isHazard = ({ row }: PlannedRow): boolean => row.impact === 'hazard'
  const isAlone = ({ row, presigned }: PlannedRow): boolean => row.alone || presigned !== undefined
  const harmless = runnable.filter((planned) => !isHazard(planned))
  return withCost({
    rows: orderLongestFirst(harmless.filter((planned) => !isAlone(planned))),
    alone: [...harmless.filter(isAlone).toSorted((a, b) => usageRank(a) - usageRank(b)), ...runnable.filter(isHazard)],
    left,
    fixtures: fixturesWithin(suite, choices),
  })
}

/** The selected rows in the order of the suite, each with the reason why it will not run, if there is one. Throws `NothingSelected`. */
export function decideRows(
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  { absent, limitations, availability, allowed, ...selection }: Omit<PlanOptions, 'seed'>,
): PlannedRow[] {
  const fixtures = fixturesByName(suite, { limitations })
  const gates = { absent, limitations, availability, allowed }
  return selectRows(suite.rows, selection).map((row) => applyGates({ row }, fixtures, capabilities, gates))
}

/**
 * The plan once the target is known better: its rows as they are resolved now, without those that need what the target turned
 * out to lack.
 */
export function refinePlan(
  plan: Plan,
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  capabilities: Capabilities,
  gates: Gates,
): Plan {
  const rows = new Map(suite.rows.map((row) => [row.id, row]))
  const fixtures = fixturesByName(suite, gates)
  const anew = (planned: PlannedRow): PlannedRow => {
    const row = rows.get(planned.row.id) ?? planned.row
    if (planned.reason !== undefined) return { ...planned, row }
    return applyGates({ row }, fixtures, capabilities, gates)
  }
  const [running, alone, left] = [plan.rows.map(anew), plan.alone.map(anew), plan.left.map(anew)]
  const runs = ({ reason }: PlannedRow): boolean => reason === undefined
  const dropped = [...running, ...alone].filter((planned) => !runs(planned))
  const refined = { rows: running.filter(runs), alone: alone.filter(runs), left: [...left, ...dropped] }
  return withCost({ ...refined, fixtures: fixturesWithin(suite, gates) })
}

/** What the target lacks comes first, then who is missing: only what nothing else stands in the way of waits for a permission. */
function applyGates(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  capabilities: Capabilities,
  { absent, limitations = unlimited, availability, allowed = allButHazards }: Gates,
): PlannedRow {
  const missing = absenceOf(planned.row, fixtures, absent)
  if (missing !== undefined) return { ...planned, reason: missing, isBlocked: true }
  const able = applyCapabilities(planned, capabilities)
  const limited = able.reason === undefined ? applyLimitations(able, fixtures, limitations) : able
  if (limited.reason !== undefined) return limited
  const needed = requiredPermissions(limited.row, fixtures, availability?.parties, capabilities)
  const lacking = needed.filter((one) => !allowed.has(one))
  const refused = (one: PlannedRow, permits: readonly Permission[]): PlannedRow =>
    permits.length === 0
      ? one
      : {
          ...one,
          reason: `${reasonOf(one, permits, capabilities)}; ${allowWords(allowed, permits)} would permit it`,
          permits,
        }
  if (!availability) return refused(limited, lacking)
  if (lacking.length === 0) {
    const own = applyAvailability(limited, fixtures, availability)
    if (own.reason === undefined || !availability.ifWritable) return own
  }
  const open = applyAvailability(limited, fixtures, availability.ifWritable ?? availability)
  // Where nothing else would help, it takes users that the run would make.
  return open.reason === undefined ? refused(open, lacking.length > 0 ? lacking : ['write']) : open
}

/** Why a step of the row, or of a fixture that it needs, cannot be sent; undefined where all of them can. */
function absenceOf(
  { steps, fixtures: needed }: ResolvedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  absent: Gates['absent'],
): string | undefined {
  if (absent === undefined || absent.size === 0) return undefined
  const all = [...steps, ...needed.flatMap((name) => fixtures.get(name)?.steps ?? [])]
  const [operation] = all.flatMap((step) => (absent.has(step.operation) ? [step.operation] : []))
  return operation && absent.get(operation)
}

/** Unless it is said: all but what may stop a target. */
const allButHazards: Permissions = new Set(permissionNames.filter((name) => name !== 'hazard'))

/** Ends with what the run may not do. */
function reasonOf({ row }: PlannedRow, lacking: readonly Permission[], capabilities: Capabilities): string {
  const [first = 'read'] = lacking
  const missing = row.needs.map((need) => capabilities[need])
  const told = missing.flatMap((why) => (typeof why === 'object' && 'permission' in why ? [`: ${why.without}`] : []))
  const more = first === 'upload' ? told.join('') : ''
  return `${reasonsFor[first]}${more}, which the run may not do`
}

const reasonsFor: Readonly<Record<Permission, string>> = {
  read: 'it only looks',
  write: 'it submits something, or needs something to be made',
  topology: 'it asks for packages to be vetted otherwise',
  upload: 'it takes an upload of packages that the target lacks',
  hazard: 'it may stop a faulty participant',
}

function applyCapabilities(planned: PlannedRow, capabilities: Capabilities): PlannedRow {
  for (const need of planned.row.needs) {
    const why = capabilities[need] ?? false
    if (why === true || (typeof why === 'object' && 'permission' in why)) continue
    if (typeof why === 'object') return { ...planned, reason: why.hindered, isBlocked: true }
    const cause = typeof why === 'string' ? `: ${why}` : ''
    return { ...planned, reason: `the target lacks the capability ${need}${cause}` }
  }
  return planned
}

const fixturesWithin = (
  { fixtures }: Pick<ResolvedSuite, 'fixtures'>,
  { limitations = unlimited }: Gates,
): ResolvedFixture[] => fixtures.map((fixture) => presignedControl(fixture, limitations))

const fixturesByName = (...given: Parameters<typeof fixturesWithin>): Map<string, ResolvedFixture> =>
  new Map(fixturesWithin(...given).map((fixture) => [fixture.name, fixture]))

/** `fixtures`: all that there are. */
function withCost(plan: Omit<Plan, 'transactions'>): Plan {
  const needed = new Set([...plan.rows, ...plan.alone].flatMap(({ row }) => row.fixtures))
  const fixtures = plan.fixtures.filter(({ name }) => needed.has(name))
  return { ...plan, fixtures, transactions: transactionCount(plan, fixtures) }
}

/** At the end of a run nothing goes on beside a row that waits. */
function orderLongestFirst(rows: readonly PlannedRow[]): PlannedRow[] {
  const long = new Set(rows.filter(waits))
  return [...long, ...rows.filter((row) => !long.has(row))]
}

/** Itself, or the target does: until a time that the request under test names, or its answer is held against. */
const waits = ({ row }: PlannedRow): boolean =>
  row.steps.some(
    ({ role, later, request, expectations }) =>
      later !== undefined || (role === 'act' && JSON.stringify([request.body, expectations]).includes('"$after":')),
  )

/** The rows in an order that follows from the seed. */
export function shuffle(rows: readonly PlannedRow[], seed: string): PlannedRow[] {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return rows
    .map((planned) => ({ planned, rank: rank(planned.row.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ planned }) => planned)
}
