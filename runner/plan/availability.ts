import type { Reason } from '../../record/types/reason.js'
import type { ResolvedRow, ResolvedStep, TokenTemplate } from '../../record/types/resolved-row.js'
import { type ResolvedFixture, variablesIn } from '../suite/resolved-suite.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import type { PlannedRow } from './select.js'
import { unsuitabilityOf } from './suitable-users.js'

export interface Availability {
  actorUsers: ActorUsers
  actors: ReadonlyMap<string, ResolvedActor>
  unreachable: ReadonlySet<string>
  /** Fixtures with an existing party. */
  parties: ReadonlySet<string>
  /** Variables without a value, each with its setting in a target file. */
  unknownVariables: ReadonlyMap<string, string | undefined>
  /** With the permission `write`; undefined if the run has it. */
  ifWritable?: Availability
}

export const signingKey = 'a key that signs tokens'
const provisionerCredential = 'administrator'

export function applyAvailability(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  availability: Availability,
): PlannedRow {
  const { row } = planned
  const needed = row.fixtures.flatMap((name) => fixtures.get(name) ?? [])
  const steps = [...row.steps, ...needed.flatMap((fixture) => fixture.steps)].filter(({ presigned }) => !presigned)
  const reason = unreachableReason(steps, availability) ?? unknownVariableReason([row, ...needed], availability)
  if (reason !== undefined) return { ...planned, reason }
  const obstacles = [
    ...partyObstacles(needed, availability),
    ...tokenObstacles(row, availability),
    ...userObstacles(row, steps, availability),
  ]
  const [first] = obstacles
  if (!first) return planned
  // A credential has no effect while another obstacle remains.
  const isHopeless = obstacles.some(({ wants }) => wants.length === 0)
  const wants = isHopeless ? [] : [...new Set(obstacles.flatMap((one) => one.wants))]
  return { ...planned, reason: first.reason, ...(wants.length > 0 && { wants }) }
}

interface Obstacle {
  reason: Reason
  wants: string[]
}

function unreachableReason(steps: readonly ResolvedStep[], { unreachable }: Availability): Reason | undefined {
  const step = steps.find(({ operation }) => unreachable.has(operation))
  return step && { code: 'operation-unreachable', operation: step.operation }
}

function unknownVariableReason(
  parts: readonly (ResolvedRow | ResolvedFixture)[],
  { unknownVariables }: Availability,
): Reason | undefined {
  if (unknownVariables.size === 0) return undefined
  const used = parts.flatMap(({ values, steps }) => [values, ...steps]).map(variablesIn)
  const name = [...unknownVariables.keys()].find((variable) => used.some((names) => names.has(variable)))
  if (name === undefined) return undefined
  const setting = unknownVariables.get(name)
  return { code: 'value-unknown', name, ...(setting !== undefined && { setting }) }
}

function partyObstacles(
  needed: readonly ResolvedFixture[],
  { actorUsers, parties, unreachable }: Availability,
): Obstacle[] {
  const missing = needed.filter(({ name, party }) => party && !parties.has(name))
  return missing.flatMap(({ name, party }): Obstacle[] => {
    const { provisioner } = actorUsers
    if (!('user' in provisioner)) {
      const wants = provisioner.code === 'no-administrator' ? [provisionerCredential] : []
      return [{ reason: { code: 'party-not-creatable', party: name, because: provisioner }, wants }]
    }
    if (!party?.external && unreachable.has('allocate-party'))
      return [{ reason: { code: 'party-undeclared', party: name }, wants: [] }]
    return []
  })
}

/** With a configured audience, no other audience is known to be wrong. */
function tokenObstacles({ steps }: ResolvedRow, { actorUsers }: Availability): Obstacle[] {
  const signed = steps.flatMap(({ token }) => (token && isSigned(token) ? [token] : []))
  return signed.flatMap((token): Obstacle[] => {
    const { canForge } = actorUsers
    if (canForge !== true) {
      const wants = canForge.code === 'no-signing-key' ? [signingKey] : []
      return [{ reason: { code: 'token-not-signable', token: token.name, because: canForge }, wants }]
    }
    const names = Object.keys(token.claims ?? {})
    if (actorUsers.hasOwnAudience && (names.includes('aud') || names.includes('scope')))
      return [{ reason: { code: 'audience-fixed', token: token.name }, wants: [] }]
    return []
  })
}

const isSigned = ({ none, header }: TokenTemplate): boolean => !none && header === undefined

const userObstacles = (row: ResolvedRow, steps: readonly ResolvedStep[], availability: Availability): Obstacle[] => {
  const names = [...new Set(steps.map(({ actor }) => actor))]
  return names.flatMap((actor): Obstacle[] => {
    const because = unsuitabilityOf(actor, row, steps, availability.actorUsers, availability.actors)
    return because === undefined ? [] : [{ reason: { code: 'no-suitable-user', actor, because }, wants: [actor] }]
  })
}
