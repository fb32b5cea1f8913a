/** Excludes rows that need unavailable users, parties, tokens or operations. */
import type { ResolvedRow, ResolvedStep, TokenTemplate } from '../../record/types/resolved-row.js'
import type { ResolvedActor, ResolvedFixture } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import type { PlannedRow } from './select.js'
import { explainUnsuitableUser } from './suitable-users.js'

export interface Availability {
  actorUsers: ActorUsers
  actors: ReadonlyMap<string, ResolvedActor>
  unreachable: ReadonlySet<string>
  /** Fixtures with an existing party. */
  parties: ReadonlySet<string>
  /** Built-in variables without a value, each with the cause or the remedy. */
  unknownVariables: ReadonlyMap<string, string>
  /** The availability with the permission `write`; undefined if the run has it. */
  ifWritable?: Availability
}

/** The missing credential of rows with invalid tokens. */
export const signingKey = 'a key that signs tokens'
/** The missing credential of rows that need a new party. */
const provisionerCredential = 'administrator'

/** Adds the reason if the row cannot run, and the credentials that would permit it. */
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
  return { ...planned, reason: first.reason, wants: [...new Set(obstacles.flatMap(({ wants }) => wants))] }
}

interface Obstacle {
  reason: string
  wants: string[]
}

function unreachableReason(steps: readonly ResolvedStep[], { unreachable }: Availability): string | undefined {
  const step = steps.find(({ operation }) => unreachable.has(operation))
  return step && `the row needs ${step.operation}, which the settings mark as unreachable`
}

function unknownVariableReason(
  parts: readonly (ResolvedRow | ResolvedFixture)[],
  { unknownVariables }: Availability,
): string | undefined {
  if (unknownVariables.size === 0) return undefined
  const pieces = parts.flatMap(({ values, steps }) => [values, ...steps])
  const name = [...unknownVariables.keys()].find((variable) => pieces.some((piece) => variablesIn(piece).has(variable)))
  return name && `the value of ${name} is unknown: ${unknownVariables.get(name)}`
}

/** Steps of probes and fixtures occur in hundreds of rows. */
const variablesByPiece = new WeakMap<object, ReadonlySet<string>>()

function variablesIn(piece: object): ReadonlySet<string> {
  const found =
    variablesByPiece.get(piece) ??
    new Set([...JSON.stringify(piece).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name))
  variablesByPiece.set(piece, found)
  return found
}

function partyObstacles(
  needed: readonly ResolvedFixture[],
  { actorUsers, parties, unreachable }: Availability,
): Obstacle[] {
  const missing = needed.filter(({ name, party }) => party && !parties.has(name))
  return missing.flatMap(({ name, party }): Obstacle[] => {
    if (typeof actorUsers.provisioner === 'string')
      return [
        { reason: `the party ${name} cannot be created: ${actorUsers.provisioner}`, wants: [provisionerCredential] },
      ]
    if (!party?.external && unreachable.has('allocate-party'))
      return [{ reason: `the party ${name} is not declared, and allocate-party is unreachable`, wants: [] }]
    return []
  })
}

/** Other claims need a key. With a configured audience, no other audience is known to be wrong. */
function tokenObstacles({ steps }: ResolvedRow, { actorUsers }: Availability): Obstacle[] {
  const signed = steps.flatMap(({ token }) => (token && isSigned(token) ? [token] : []))
  return signed.flatMap((token): Obstacle[] => {
    if (actorUsers.canForge !== true)
      return [{ reason: `the token ${token.name} cannot be created: ${actorUsers.canForge}`, wants: [signingKey] }]
    const names = Object.keys(token.claims ?? {})
    if (actorUsers.hasOwnAudience && (names.includes('aud') || names.includes('scope')))
      return [
        { reason: `the token ${token.name} needs a wrong audience, but the settings define the audience`, wants: [] },
      ]
    return []
  })
}

const isSigned = ({ none, header }: TokenTemplate): boolean => !none && header === undefined

const userObstacles = (row: ResolvedRow, steps: readonly ResolvedStep[], availability: Availability): Obstacle[] => {
  const names = [...new Set(steps.map(({ actor }) => actor))]
  return names.flatMap((actor) => {
    const reason = explainUnsuitableUser(actor, row, steps, availability.actorUsers, availability.actors)
    return reason === undefined ? [] : [{ reason: `no available user can act as ${actor}: ${reason}`, wants: [actor] }]
  })
}
