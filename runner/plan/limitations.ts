import type { Reason } from '../../record/types/reason.js'
import type { Check, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { actingParty, type ResolvedFixture } from '../suite/resolved-suite.js'
import { rejectedBeforeLedger } from '../target/target-file.js'
import { alternativesOf } from './cost.js'
import type { PlannedRow } from './select.js'

export interface Limitations {
  prepares: boolean
  onboards: boolean
  /** Fixtures whose party has presigned transactions. */
  presigned: ReadonlySet<string>
}

export const unlimited: Limitations = { prepares: true, onboards: true, presigned: new Set() }

export function applyLimitations(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  limitations: Limitations,
): PlannedRow {
  if (limitations.prepares && limitations.onboards) return planned
  const needed = planned.row.fixtures
  const isPresigned = (name: string): boolean => limitations.presigned.has(name)
  const party = needed.find((name) => fixtures.get(name)?.party?.external && !isPresigned(name))
  if (party !== undefined && !limitations.onboards)
    return { ...planned, reason: { code: 'external-party-impossible', party } }
  if (limitations.prepares) return planned
  if (needed.flatMap((name) => fixtures.get(name)?.steps ?? []).some(isPreparing)) {
    return { ...planned, reason: notPrepared }
  }
  const { row } = planned
  const [only, ...more] = row.steps.filter(isPreparing)
  if (!only) return planned
  const fixture = more.length === 0 && only.presignable ? actingParty(row) : undefined
  if (fixture === undefined || !isPresigned(fixture)) return { ...planned, reason: notPrepared }
  const steps = row.steps.map((step) => (step === only ? { ...step, presigned: true as const } : step))
  return { ...planned, row: { ...row, steps }, presigned: { fixture, capture: only.capture } }
}

export function presignedControl(fixture: ResolvedFixture, { prepares, presigned }: Limitations): ResolvedFixture {
  const { controls, steps } = fixture
  if (prepares || controls === undefined || !presigned.has(actingParty(fixture) ?? '')) return fixture
  return { ...fixture, steps: steps.map((step) => (step.presignable ? { ...step, presigned: true as const } : step)) }
}

const notPrepared: Reason = { code: 'nothing-prepared' }

const isPreparing = ({ operation, presigned }: ResolvedStep): boolean => operation === 'prepare' && !presigned

/**
 * One execution consumes a transaction; rejections before it do not. Lower is earlier: no presigned transaction, early rejections, rejections on
 * the ledger, executions.
 */
export function usageRank({ presigned, row }: PlannedRow): number {
  if (presigned === undefined) return 0
  // The ledger may still reject an accepted request after the response.
  if (row.impact !== 'read') return 3
  const alternatives = alternativesOf(row.steps.find(({ role }) => role === 'act'))
  const isEarly = alternatives.every(({ outcome, checks }) => outcome === 'refused' && checks.every(isEarlyRefusal))
  return isEarly && !mayExecuteRejected(row) ? 1 : 2
}

/** The profile permits both execution and rejection. */
export const mayExecuteRejected = ({ steps }: ResolvedRow): boolean =>
  steps
    .filter(({ role }) => role === 'act')
    .flatMap(({ expectations }) => expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ checks }) => checks)))
    .some((check) => check.on === 'effects' && check.when === 'refused' && check.untold > 0)

const isEarlyRefusal = (check: Check): boolean =>
  check.on !== 'status' || check.oneOf.every((status) => status === '4xx' || rejectedBeforeLedger.has(status))
