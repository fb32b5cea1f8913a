/** What rows need that a target cannot do, and which of it was done elsewhere. */
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { actingParty, type ResolvedFixture } from '../suite/resolved-suite.js'
import type { PlannedRow } from './select.js'

export interface Limitations {
  /** Transactions can be prepared. */
  prepares: boolean
  /** Parties that sign for themselves can be made. */
  onboards: boolean
  /** Fixtures in whose stead there is a party from elsewhere, with transactions that it has signed. */
  presigned: ReadonlySet<string>
}

export const unlimited: Limitations = { prepares: true, onboards: true, presigned: new Set() }

/** The row as it can run, or with the reason why it cannot. What was presigned stands in for the step that would prepare it. */
export function applyLimitations(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  limitations: Limitations,
): PlannedRow {
  if (limitations.prepares && limitations.onboards) return planned
  const needed = planned.row.fixtures
  const isPresigned = (name: string): boolean => limitations.presigned.has(name)
  const party = needed.find((name) => fixtures.get(name)?.party?.external && !isPresigned(name))
  if (party !== undefined && !limitations.onboards) {
    const reason = `the party ${party} would have keys of its own: such parties cannot be made here, and nothing is presigned for it`
    return { ...planned, reason }
  }
  if (limitations.prepares) return planned
  if (needed.flatMap((name) => fixtures.get(name)?.steps ?? []).some(isPreparing)) {
    return { ...planned, reason: nothingPrepared }
  }
  const { row } = planned
  const [only, ...more] = row.steps.filter(isPreparing)
  if (!only) return planned
  const fixture = more.length === 0 && only.presignable ? actingParty(row) : undefined
  if (fixture === undefined || !isPresigned(fixture)) return { ...planned, reason: nothingPrepared }
  const steps = row.steps.map((step) => (step === only ? { ...step, presigned: true as const } : step))
  return { ...planned, row: { ...row, steps }, presigned: { fixture, capture: only.capture } }
}

/** A control executes a presigned transaction where nothing is prepared. */
export function presignedControl(fixture: ResolvedFixture, { prepares, presigned }: Limitations): ResolvedFixture {
  const { controls, steps } = fixture
  if (prepares || controls === undefined || !presigned.has(actingParty(fixture) ?? '')) return fixture
  return { ...fixture, steps: steps.map((step) => (step.presignable ? { ...step, presigned: true as const } : step)) }
}

const nothingPrepared = 'it needs a transaction that nothing prepares here, and that is not among the presigned ones'

const isPreparing = ({ operation, presigned }: ResolvedStep): boolean => operation === 'prepare' && !presigned
