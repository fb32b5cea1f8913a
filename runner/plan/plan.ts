import { createHash } from 'node:crypto'
import { operationNamed } from '../../interface/operations.js'
import { capabilitiesByVersion } from '../../record/judgements/outside-configuration.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { type Permission, permissionNames } from '../../record/types/effects.js'
import type { Reason } from '../../record/types/reason.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture, ResolvedSuite } from '../suite/resolved-suite.js'
import type { Profile } from '../suite/suite.js'
import { isDryRun, type Permissions } from '../target/permissions.js'
import type { Capabilities } from '../target/target.js'
import { type Availability, applyAvailability } from './availability.js'
import { transactionCount } from './cost.js'
import { needsAtTarget } from './given-fixtures.js'
import { applyLimitations, type Limitations, presignedControl, unlimited, usageRank } from './limitations.js'
import { isOfOtherAuthorization, operationNeeds, presignedOperations, suppliedBy } from './needed-operations.js'
import { type PlannedRow, type Selection, selectRows } from './select.js'

interface PlannedRows {
  /** In sending order. */
  rows: PlannedRow[]
  /** Run after the others; hazards last. */
  alone: PlannedRow[]
  left: PlannedRow[]
  /** Directly and indirectly needed. */
  fixtures: ResolvedFixture[]
}

export interface Plan extends PlannedRows {
  /** Upper bound. */
  transactions: number
}

export interface Gates {
  /** Operations with their causes. Default: none. */
  absent?: ReadonlyMap<string, Reason> | undefined
  limitations?: Limitations | undefined
  /** Default: everything. */
  availability?: Availability | undefined
  /** Situations and divergences that depend on the unknown protocol version. Default: none. */
  openFacts?: ReadonlySet<string> | undefined
  /** Default: all permissions except `hazard`. */
  allowed?: Permissions | undefined
}

export interface PlanOptions extends Gates, Selection {
  /** Determines the order of rows of the same rank. */
  seed: string
}

/**
 * Throws `NothingSelected`.
 * Capabilities by name; a row that needs another one is in `left`, with its reason.
 * @example
 * const { left } = planRun(suite, { authorization: false }, { seed: '7', only: 'SAW-*' })
 * left[0]?.reason // { code: 'lacks-capability', name: 'authorization' }
 */
export function planRun(suite: ResolvedSuite, capabilities: Capabilities, { seed, ...choices }: PlanOptions): Plan {
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

/** In suite order. Throws `NothingSelected`. */
export function decideRows(suite: ResolvedSuite, capabilities: Capabilities, choices: Gates & Selection): PlannedRow[] {
  const fixtures = fixturesByName(suite, choices)
  return selectRows(suite.rows, choices).map((row) => applyGates({ row }, fixtures, capabilities, choices))
}

export function refinePlan(plan: Plan, suite: ResolvedSuite, capabilities: Capabilities, gates: Gates): Plan {
  const rows = new Map(suite.rows.map((row) => [row.id, row]))
  const fixtures = fixturesByName(suite, gates)
  const update = (planned: PlannedRow): PlannedRow => {
    const row = rows.get(planned.row.id) ?? planned.row
    if (planned.reason !== undefined) return { ...planned, row }
    return applyGates({ row }, fixtures, capabilities, gates)
  }
  const [running, alone, left] = [plan.rows.map(update), plan.alone.map(update), plan.left.map(update)]
  const runs = ({ reason }: PlannedRow): boolean => reason === undefined
  const dropped = [...running, ...alone].filter((planned) => !runs(planned))
  const refined = { rows: running.filter(runs), alone: alone.filter(runs), left: [...left, ...dropped] }
  return withCost({ ...refined, fixtures: fixturesWithin(suite, gates) })
}

/** Reports a missing permission only if nothing else excludes the row. */
function applyGates(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  capabilities: Capabilities,
  { absent, limitations = unlimited, availability, allowed = allButHazards, openFacts }: Gates,
): PlannedRow {
  if (isOfOtherAuthorization(planned.row, capabilities['authorization'] === true))
    return applyCapabilities(planned, fixtures, capabilities)
  const missing = absenceOf(planned.row, fixtures, absent, availability) ?? openVersionOf(planned.row, openFacts)
  if (missing !== undefined) return { ...planned, reason: missing, isBlocked: true }
  const able = applyCapabilities(planned, fixtures, capabilities)
  const limited = able.reason === undefined ? applyLimitations(able, fixtures, limitations) : able
  if (limited.reason !== undefined) return limited
  if (limited.presigned) {
    const missingRead = presignedOperations.flatMap((name) => absent?.get(name) ?? [])[0]
    if (missingRead !== undefined) return { ...limited, reason: missingRead, isBlocked: true }
    const excluded = presignedOperations.find((name) => availability?.unreachable.has(name))
    if (excluded !== undefined) return { ...limited, reason: { code: 'operation-unreachable', operation: excluded } }
  }
  const needed = requiredPermissions(limited.row, fixtures, availability?.parties, capabilities)
  const lacking = needed.filter((one) => !allowed.has(one))
  const requirePermissions = (one: PlannedRow, permits: readonly Permission[]): PlannedRow =>
    permits.length === 0 ? one : { ...one, reason: permissionReason(one, permits, allowed, capabilities), permits }
  if (!availability) return requirePermissions(limited, lacking)
  const own = applyAvailability(limited, fixtures, availability)
  const { ifWritable } = availability
  if (lacking.length === 0 && (own.reason === undefined || !ifWritable)) return own
  const open = ifWritable ? applyAvailability(limited, fixtures, ifWritable) : own
  // A row that only a writing run can send needs users that this run would create.
  const isWriting = own.reason !== undefined && open.reason === undefined
  const lackingAll = permissionNames.filter((name) => lacking.includes(name) || (isWriting && name === 'write'))
  if (open.reason === undefined) return requirePermissions(open, lackingAll)
  // The credentials have an effect only together with the permissions.
  return open.wants && lackingAll.length > 0 ? { ...open, permits: lackingAll } : open
}

function absenceOf(
  row: ResolvedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  absent: Gates['absent'],
  availability: Availability | undefined,
): Reason | undefined {
  if (absent === undefined || absent.size === 0) return undefined
  const needs = operationNeeds(row, fixtures, suppliedBy(availability))
  const missing = needs.find(({ operation }) => absent.has(operation))
  return missing && absent.get(missing.operation)
}

const allButHazards: Permissions = new Set(permissionNames.filter((name) => name !== 'hazard'))

/** Without `read`. Rejected requests count too: a faulty participant may accept them. */
function requiredPermissions(
  row: ResolvedRow,
  known: ReadonlyMap<string, ResolvedFixture>,
  parties: ReadonlySet<string> = new Set(),
  capabilities: Capabilities,
): Permission[] {
  const { steps, impact, fixtures } = row
  const needed = fixtures.flatMap((name) => known.get(name) ?? [])
  const createsParty = needed.some(({ name, party }) => party && !parties.has(name))
  const required = new Set([
    ...[...steps, ...needed.flatMap((fixture) => fixture.steps)].flatMap(requestedChange),
    ...(createsParty ? ['write'] : []),
    ...needsAtTarget(row, known).flatMap((need) => permissionIn(capabilities[need]) ?? []),
    impact,
  ])
  return permissionNames.filter((name) => name !== 'read' && required.has(name))
}

const permissionIn = (capability: Capabilities[string] | undefined): Permission | undefined =>
  typeof capability === 'object' && 'permission' in capability ? capability.permission : undefined

function requestedChange(step: ResolvedStep): Permission[] {
  const { commits, changes } = operationNamed(step.operation) ?? {}
  if (commits) return ['write']
  return changes === undefined || isDryRun(step.request) ? [] : [changes]
}

function permissionReason(
  { row }: PlannedRow,
  lacking: readonly Permission[],
  allowed: Permissions,
  capabilities: Capabilities,
): Reason {
  const all = new Set([...allowed, ...lacking])
  const missing = row.needs.map((need) => capabilities[need])
  const uploadable = missing.find((why) => typeof why === 'object' && 'permission' in why)
  return {
    code: 'lacks-permission',
    permissions: [...lacking],
    allow: permissionNames.filter((name) => name !== 'read' && all.has(name)),
    ...(lacking[0] === 'upload' &&
      typeof uploadable === 'object' &&
      'without' in uploadable && { because: uploadable.without }),
  }
}

function applyCapabilities(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  capabilities: Capabilities,
): PlannedRow {
  for (const need of needsAtTarget(planned.row, fixtures)) {
    const why = capabilities[need] ?? false
    if (why === true || (typeof why === 'object' && 'permission' in why)) continue
    if (typeof why === 'object' && 'hindered' in why) return { ...planned, reason: why.hindered, isBlocked: true }
    return { ...planned, reason: { code: 'lacks-capability', name: need, ...(why && { because: why }) } }
  }
  return planned
}

const fixturesWithin = ({ fixtures }: ResolvedSuite, { limitations = unlimited }: Gates): ResolvedFixture[] =>
  fixtures.map((fixture) => presignedControl(fixture, limitations))

const fixturesByName = (...given: Parameters<typeof fixturesWithin>): Map<string, ResolvedFixture> =>
  new Map(fixturesWithin(...given).map((fixture) => [fixture.name, fixture]))

function withCost(plan: PlannedRows): Plan {
  const needed = new Set([...plan.rows, ...plan.alone].flatMap(({ row }) => row.fixtures))
  const fixtures = plan.fixtures.filter(({ name }) => needed.has(name))
  return { ...plan, fixtures, transactions: transactionCount(plan, fixtures) }
}

/** A waiting row at the end of a run would leave workers idle. */
function orderLongestFirst(rows: readonly PlannedRow[]): PlannedRow[] {
  const long = new Set(rows.filter(waits))
  return [...long, ...rows.filter((row) => !long.has(row))]
}

const waits = ({ row }: PlannedRow): boolean =>
  row.steps.some(
    ({ role, later, request, expectations }) =>
      later !== undefined || (role === 'act' && JSON.stringify([request.body, expectations]).includes('"$after":')),
  )

export function shuffle(rows: readonly PlannedRow[], seed: string): PlannedRow[] {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return rows
    .map((planned) => ({ planned, rank: rank(planned.row.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ planned }) => planned)
}

/** Situations and divergences of the profile that depend on the protocol version. */
export const factsByVersion = ({ versions, divergences }: Profile): Set<string> =>
  new Set([
    ...versions.keys(),
    ...divergences.flatMap(({ id, protocolVersion }) => (protocolVersion === undefined ? [] : [id])),
  ])

/** The cause if the row needs the unknown version. */
function openVersionOf(row: ResolvedRow, facts: ReadonlySet<string> | undefined): Reason | undefined {
  if (!facts) return undefined
  const isOpen =
    row.needs.some((need) => capabilitiesByVersion.some((name) => name === need)) ||
    row.steps
      .flatMap(expectationsOf)
      .some(({ situation, divergence }) => facts.has(situation ?? '') || facts.has(divergence ?? ''))
  return isOpen ? { code: 'protocol-version-unknown' } : undefined
}
