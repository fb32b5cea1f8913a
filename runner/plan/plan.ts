import { createHash } from 'node:crypto'
import { stepsOfRow } from '../row-steps.js'
import type { Suite } from '../suite.js'
import { NothingSelected, type PlannedRow, selectRows } from './select.js'

/** A text says why the target lacks it. */
export type Capabilities = Readonly<Record<string, boolean | string>>

export interface Plan {
  /** In the order in which they are sent; serial cases last. */
  rows: PlannedRow[]
  serial: PlannedRow[]
  /** Rows that will not run, each with its reason. */
  left: PlannedRow[]
  /** Transactions that a conforming target will commit for the rows. */
  transactions: number
}

/** Decides what will run before anything is sent. The order follows from the seed alone. Throws `NothingSelected`, also when no selected row applies. */
export function planRun(suite: Suite, capabilities: Capabilities, only: string | undefined, seed: string): Plan {
  const selected = selectRows(suite.cases, only).map((planned) => withReason(planned, capabilities, only))
  const left = selected.filter(({ reason }) => reason !== undefined)
  const runnable = shuffle(
    selected.filter(({ reason }) => reason === undefined),
    seed,
  )
  if (runnable.length === 0) {
    throw new NothingSelected(`none of the ${left.length} selected rows can run here: ${left[0]?.reason ?? ''}`)
  }
  return {
    rows: runnable.filter((planned) => !planned.case.serial),
    serial: runnable.filter((planned) => planned.case.serial),
    left,
    transactions: runnable.reduce((sum, planned) => sum + committed(planned, suite), 0),
  }
}

/** The plan without the rows that need what the target turned out to lack. */
export function settlePlan(plan: Plan, capabilities: Capabilities, only: string | undefined): Plan {
  const runs = (planned: PlannedRow): boolean => withReason(planned, capabilities, only).reason === undefined
  const [rows, serial] = [plan.rows.filter(runs), plan.serial.filter(runs)]
  const dropped = [...plan.rows, ...plan.serial].filter((planned) => !runs(planned))
  return {
    ...plan,
    rows,
    serial,
    left: [...plan.left, ...dropped.map((planned) => withReason(planned, capabilities, only))],
  }
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

function committed({ row }: PlannedRow, suite: Suite): number {
  return row.steps.filter(({ request, verdict }) => {
    const operation = suite.requests.get(request)?.operation
    return operation === 'submit-and-wait' && verdict.outcome !== undefined && 'accepted' in verdict.outcome
  }).length
}

/** Requests that the plan sends, those of the probes included. */
export const requestCount = ({ rows, serial }: Plan, suite: Suite): number =>
  [...rows, ...serial].reduce((sum, { case: suiteCase, row }) => sum + stepsOfRow(suiteCase, row, suite).length, 0)

function shuffle(rows: readonly PlannedRow[], seed: string): PlannedRow[] {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return rows
    .map((planned) => ({ planned, rank: rank(planned.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ planned }) => planned)
}
