/** What rows need that a target cannot do, and which of it was done elsewhere. */
import { neededFixtures } from '../provision/fixtures.js'
import type { Step, Suite } from '../suite/suite.js'
import type { PlannedRow } from './select.js'

export interface Reach {
  /** Transactions can be prepared. */
  prepares: boolean
  /** Parties that sign for themselves can be made. */
  onboards: boolean
  /** Fixtures in whose place there is a party from elsewhere, with transactions that it has signed. */
  given: ReadonlySet<string>
}

export const everything: Reach = { prepares: true, onboards: true, given: new Set() }

/** The row as it can run, or with the reason why it cannot. What was given takes the place of the step that would prepare it. */
export function withinReach(planned: PlannedRow, suite: Suite, reach: Reach): PlannedRow {
  if (reach.prepares && reach.onboards) return planned
  const needed = [...neededFixtures([planned], suite)]
  const party = needed.find((name) => suite.fixtures.get(name)?.party?.external && !reach.given.has(name))
  if (party !== undefined && !reach.onboards) {
    const reason = `the party ${party} would have keys of its own: such parties cannot be made here, and none is given for it`
    return { ...planned, reason }
  }
  if (reach.prepares) return planned
  const ofFixtures = needed.flatMap((name) => suite.fixtures.get(name)?.steps ?? [])
  if (ofFixtures.some((step) => isPreparing(step, suite))) return { ...planned, reason: nothingPrepared }
  const { row } = planned
  const [only, ...more] = row.steps.filter((step) => isPreparing(step, suite))
  if (!only) return planned
  const fixture = more.length === 0 && isReplaceable(only, suite) ? actingParty(planned) : undefined
  if (fixture === undefined || !reach.given.has(fixture)) return { ...planned, reason: nothingPrepared }
  const steps = row.steps.filter((step) => step !== only)
  return { ...planned, row: { ...row, steps }, given: { fixture, capture: only.capture } }
}

const nothingPrepared = 'it needs a transaction that nothing prepares here, and that is not among the given ones'

const isPreparing = ({ request }: Step, suite: Suite): boolean => suite.requests.get(request)?.operation === 'prepare'

/** What a given transaction can tell of itself. */
const told: ReadonlySet<string> = new Set(['/preparedTransaction', '/preparedTransactionHash'])

/** Nothing is asked for beside what was prepared elsewhere. */
const isReplaceable = ({ request, edit, remove, raw, capture }: Step, suite: Suite): boolean =>
  suite.requests.get(request)?.mayBeGiven === true &&
  edit.size + remove.length === 0 &&
  raw === undefined &&
  [...capture.values()].every((pointer) => told.has(pointer))

function actingParty({ row }: PlannedRow): string | undefined {
  const party = row.values.get('party')
  return typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
}
