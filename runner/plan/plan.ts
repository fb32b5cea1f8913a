import { createHash } from 'node:crypto'
import { neededFixtures } from '../provision/fixtures.js'
import { exchangesOf, stepsOfRow } from '../row-steps.js'
import type { Profile, Suite } from '../suite/suite.js'
import { useOf } from './given-order.js'
import { everything, type Reach, withinReach } from './reach.js'
import { NothingSelected, type PlannedRow, selectRows } from './select.js'

/** A text says why the target lacks it. */
export type Capabilities = Readonly<Record<string, boolean | string>>

export interface Plan {
  /** In the order in which they are sent; serial cases last, and what may stop the target at the very end. */
  rows: PlannedRow[]
  serial: PlannedRow[]
  /** Rows that will not run, each with its reason. */
  left: PlannedRow[]
  /** Transactions that a target of the profile commits at most, for the rows and for the fixtures that they need. */
  transactions: number
}

/**
 * Decides what will run before anything is sent. The order follows from the seed alone, but for rows with what was given: these
 * come one after the other, and what may be executed last. Throws `NothingSelected`, also when no selected row applies.
 */
export function planRun(
  suite: Suite,
  profile: Profile,
  capabilities: Capabilities,
  only: string | undefined,
  seed: string,
  reach: Reach = everything,
): Plan {
  const selected = selectRows(suite.cases, only)
    .map((planned) => withReason(planned, capabilities, only))
    .map((planned) => (planned.reason === undefined ? withinReach(planned, suite, reach) : planned))
  const left = selected.filter(({ reason }) => reason !== undefined)
  const runnable = shuffle(
    selected.filter(({ reason }) => reason === undefined),
    seed,
  )
  if (runnable.length === 0) throw noneRuns(left)
  const isHazard = ({ row }: PlannedRow): boolean => row.impact === 'hazard'
  const isAlone = ({ case: { serial }, given }: PlannedRow): boolean => serial || given !== undefined
  const harmless = runnable.filter((planned) => !isHazard(planned))
  const alone = harmless.filter(isAlone).toSorted((a, b) => useOf(a, profile) - useOf(b, profile))
  return {
    rows: harmless.filter((planned) => !isAlone(planned)),
    serial: [...alone, ...runnable.filter(isHazard)],
    left,
    transactions: committed(runnable, suite, profile),
  }
}

const noneRuns = (left: readonly PlannedRow[]): NothingSelected =>
  new NothingSelected(`none of the ${left.length} selected rows can run here: ${left[0]?.reason ?? ''}`)

/** The plan without the rows that need what the target turned out to lack. Throws `NothingSelected` where nothing is left. */
export function settlePlan(plan: Plan, capabilities: Capabilities, only: string | undefined): Plan {
  const runs = (planned: PlannedRow): boolean => withReason(planned, capabilities, only).reason === undefined
  const [rows, serial] = [plan.rows.filter(runs), plan.serial.filter(runs)]
  const dropped = [...plan.rows, ...plan.serial].filter((planned) => !runs(planned))
  const left = [...plan.left, ...dropped.map((planned) => withReason(planned, capabilities, only))]
  if (rows.length + serial.length === 0) throw noneRuns(left)
  return { ...plan, rows, serial, left }
}

function withReason(planned: PlannedRow, capabilities: Capabilities, only: string | undefined): PlannedRow {
  const missing = planned.row.needs.find((need) => capabilities[need] !== true)
  if (missing !== undefined) {
    const why = capabilities[missing]
    const cause = typeof why === 'string' ? `: ${why}` : ''
    return { ...planned, reason: `the target lacks the capability ${missing}${cause}` }
  }
  if (planned.row.impact === 'hazard' && only !== planned.id) {
    return { ...planned, reason: 'may stop a faulty participant: runs only when asked for by its full name' }
  }
  return planned
}

/** Operations by which a transaction is committed where they are accepted. */
const committing: ReadonlySet<string> = new Set([
  'submit-and-wait',
  'execute',
  'execute-and-wait',
  'execute-and-wait-for-transaction',
])

function committed(planned: readonly PlannedRow[], suite: Suite, { conditions }: Profile): number {
  const fixtures = [...neededFixtures(planned, suite)].flatMap((name) => suite.fixtures.get(name)?.steps ?? [])
  const steps = [...planned.flatMap(({ row }) => row.steps), ...fixtures]
  return steps.filter(({ request, verdict: { outcome } }) => {
    if (!outcome || !committing.has(suite.requests.get(request)?.operation ?? '')) return false
    if ('accepted' in outcome) return true
    const known = conditions.get(outcome.refused)
    return known !== undefined && (known.accepted || known.alternatives.some(({ accepted }) => accepted))
  }).length
}

/** Requests that the plan sends to a conforming target, those of the probes included. */
export const requestCount = ({ rows, serial }: Plan, suite: Suite): number =>
  [...rows, ...serial].reduce((sum, { case: suiteCase, row }) => {
    const isAccepted = 'accepted' in (row.steps.at(-1)?.verdict.outcome ?? {})
    const sent = stepsOfRow(suiteCase, row, suite).filter(
      ({ when }) => when === undefined || (when === 'accepted') === isAccepted,
    )
    return sum + exchangesOf(sent).length
  }, 0)

function shuffle(rows: readonly PlannedRow[], seed: string): PlannedRow[] {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return rows
    .map((planned) => ({ planned, rank: rank(planned.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ planned }) => planned)
}
