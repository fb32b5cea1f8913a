import { operationNamed } from '../../interface/operations.js'
import type { Alternative, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import { requestsVetting } from '../target/permissions.js'
import type { PlannedRow } from './select.js'

interface Running {
  rows: readonly PlannedRow[]
  alone: readonly PlannedRow[]
}

/** Upper bound. */
export const transactionCount = ({ rows, alone }: Running, fixtures: readonly ResolvedFixture[]): number =>
  [...[...rows, ...alone].flatMap(({ row }) => stepsSent(row)), ...fixtures.flatMap(({ steps }) => steps)]
    .filter(mayCommit)
    .reduce((sum, step) => sum + winnersOf(step), 0)

function winnersOf({ expectations }: ResolvedStep): number {
  const checks = expectations.flatMap(({ anyOf }) => anyOf.flatMap((alternative) => alternative.checks))
  const [count = 1] = checks.flatMap((check) => (check.on === 'winners' ? [check.count] : []))
  return count
}

export const vettingRows = ({ rows, alone }: Running): string[] =>
  [...rows, ...alone]
    .filter(({ row }) => stepsSent(row).some((step) => requestsVetting(step) && mayBeAccepted(step)))
    .map(({ row }) => row.id)

interface Workload {
  /** Includes probes and commits. */
  requests: number
  /** Upper bound. */
  commits: number
  /** Milliseconds in which the plan sends nothing. */
  waits: number
}

/** `lateDelay`: milliseconds. */
const workloadOf = (rows: readonly PlannedRow[], lateDelay: number): Workload => {
  const steps = rows.flatMap(({ row }) => stepsSent(row))
  return {
    requests: steps.reduce((sum, { race }) => sum + (race?.times ?? 1), 0),
    commits: steps.filter(mayCommit).reduce((sum, step) => sum + winnersOf(step), 0),
    waits: steps.reduce((sum, { later = 0 }) => sum + (later === 'late-check' ? lateDelay : later * 1000), 0),
  }
}

export const requestCount = ({ rows, alone }: Running): number => workloadOf([...rows, ...alone], 0).requests

function stepsSent({ steps }: ResolvedRow): ResolvedStep[] {
  const alternatives = alternativesOf(steps.find(({ role }) => role === 'act'))
  const isAccepted = alternatives.length > 0 && alternatives.every(({ outcome }) => outcome === 'accepted')
  return steps.filter(
    ({ sentWhen, presigned }) => !presigned && (sentWhen === undefined || (sentWhen === 'accepted') === isAccepted),
  )
}

/** Commits and reads per second by requests in flight, observed on 3.5.10. */
const observed = [
  { inFlight: 1, commits: 2.7, reads: 150 },
  { inFlight: 8, commits: 10, reads: 300 },
  { inFlight: 16, commits: 12, reads: 450 },
  { inFlight: 32, commits: 14, reads: 450 },
] as const

const [sequential] = observed

/** Requests per second of a run on the embedded simulator, which answers faster than the run sends and judges. */
const ownRate = 500

interface Pace {
  concurrency: number
  /** Milliseconds of a sequential request. The reference replaces absent ones. */
  times: { read?: number; commit?: number }
  /** Milliseconds between a row and its late-effects check. */
  lateDelay: number
}

/** Rounded up. Rows that run alone gain nothing from concurrency. */
export function expectedSeconds({ rows, alone }: Running, { concurrency, times, lateDelay }: Pace): number {
  const known = observed.findLast(({ inFlight }) => inFlight <= concurrency) ?? sequential
  const { read = 1000 / sequential.reads } = times
  // A slow connection delays commits and reads alike.
  const { commit = 1000 / sequential.commits + Math.max(0, read - 1000 / sequential.reads) } = times
  const [together, single] = [workloadOf(rows, lateDelay), workloadOf(alone, lateDelay)]
  const seconds =
    together.commits / rateOf(commit, concurrency, known.commits, sequential.commits) +
    readsIn(together) / rateOf(read, concurrency, known.reads, sequential.reads) +
    (single.commits * commit + readsIn(single) * read + single.waits) / 1000
  return Math.ceil(Math.max(seconds, (together.requests + single.requests) / ownRate))
}

/**
 * Requests per second. A distant target answers all requests in flight at the same time. A near one gains as much from
 * concurrency as the reference.
 */
function rateOf(milliseconds: number, concurrency: number, known: number, single: number): number {
  const own = 1000 / milliseconds
  return Math.min(concurrency * own, Math.max(known, (own * known) / single))
}

const readsIn = ({ requests, commits }: Workload): number => Math.max(0, requests - commits)

/** Empty without an expected outcome. */
export const alternativesOf = (step: ResolvedStep | undefined): Alternative[] =>
  (step?.expectations ?? []).filter(({ kind }) => kind === 'outcome').flatMap(({ anyOf }) => anyOf)

/** Whether a conforming participant may accept the step. */
const mayBeAccepted = (step: ResolvedStep): boolean =>
  alternativesOf(step).some(({ outcome }) => outcome === 'accepted')

export const mayCommit = (step: ResolvedStep): boolean =>
  operationNamed(step.operation)?.commits === true && mayBeAccepted(step)
