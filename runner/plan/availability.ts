/** What a run has at hand: who can call, which parties there are, what can be reached. Rows that need more do not run. */
import type { ResolvedRow, ResolvedStep, TokenTemplate } from '../../record/types/resolved-row.js'
import type { ResolvedActor, ResolvedFixture } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import type { PlannedRow } from './select.js'
import { explainUnsuitableUser } from './suitable-users.js'

export interface Availability {
  actorUsers: ActorUsers
  actors: ReadonlyMap<string, ResolvedActor>
  /** Operations that are not called. */
  unreachable: ReadonlySet<string>
  /** Fixtures in whose stead there is a party already, with keys elsewhere or without. */
  parties: ReadonlySet<string>
  /** What the runner should know by these names and does not, each with what would tell it. */
  unknownVariables: ReadonlyMap<string, string>
  /** The same if the run might make things; undefined where it may. */
  ifWritable?: Availability
}

/** The credential that would open rows which need a key to sign invalid tokens with. */
export const signingKey = 'a key that signs tokens'
/** The one that would open rows which need something to be made. */
const makersCredential = 'administrator'

/** The row as it is, or with the reason why it cannot run, and the credentials that would open it. */
export function applyAvailability(
  planned: PlannedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  availability: Availability,
): PlannedRow {
  const { row } = planned
  const needed = row.fixtures.flatMap((name) => fixtures.get(name) ?? [])
  const steps = [...row.steps, ...needed.flatMap((fixture) => fixture.steps)].filter(({ presigned }) => !presigned)
  const closed = unreachableReason(steps, availability) ?? unknownVariableReason([row, ...needed], availability)
  if (closed !== undefined) return { ...planned, reason: closed }
  const lacking = [
    ...partiesLacking(needed, availability),
    ...tokensLacking(row, availability),
    ...usersLacking(row, steps, availability),
  ]
  const [first] = lacking
  if (!first) return planned
  return { ...planned, reason: first.reason, wants: [...new Set(lacking.flatMap(({ wants }) => wants))] }
}

interface Lacking {
  reason: string
  /** Credentials that would help; none where none would. */
  wants: string[]
}

function unreachableReason(steps: readonly ResolvedStep[], { unreachable }: Availability): string | undefined {
  const closed = steps.find(({ operation }) => unreachable.has(operation))
  return closed && `it needs ${closed.operation}, which the settings say cannot be reached`
}

function unknownVariableReason(
  parts: readonly (ResolvedRow | ResolvedFixture)[],
  { unknownVariables }: Availability,
): string | undefined {
  if (unknownVariables.size === 0) return undefined
  const pieces = parts.flatMap(({ values, steps }) => [values, ...steps])
  const name = [...unknownVariables.keys()].find((variable) => pieces.some((piece) => variablesIn(piece).has(variable)))
  return name && `nothing tells its ${name}: ${unknownVariables.get(name)}`
}

/** Steps of probes and fixtures stand in hundreds of rows. */
const known = new WeakMap<object, ReadonlySet<string>>()

function variablesIn(piece: object): ReadonlySet<string> {
  const found =
    known.get(piece) ?? new Set([...JSON.stringify(piece).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name))
  known.set(piece, found)
  return found
}

function partiesLacking(
  needed: readonly ResolvedFixture[],
  { actorUsers, parties, unreachable }: Availability,
): Lacking[] {
  const missing = needed.filter(({ name, party }) => party && !parties.has(name))
  return missing.flatMap(({ name, party }): Lacking[] => {
    if (typeof actorUsers.provisioner === 'string')
      return [{ reason: `the party ${name} cannot be made: ${actorUsers.provisioner}`, wants: [makersCredential] }]
    if (!party?.external && unreachable.has('allocate-party'))
      return [{ reason: `the party ${name} is not named, and allocate-party cannot be reached`, wants: [] }]
    return []
  })
}

/** A token with other claims takes a key; and where tokens name an audience of their own, nobody knows which would be wrong. */
function tokensLacking({ steps }: ResolvedRow, { actorUsers }: Availability): Lacking[] {
  const made = steps.flatMap(({ token }) => (token && isMade(token) ? [token] : []))
  return made.flatMap((token): Lacking[] => {
    if (actorUsers.canForge !== true)
      return [{ reason: `the token ${token.name} cannot be made: ${actorUsers.canForge}`, wants: [signingKey] }]
    const names = Object.keys(token.claims ?? {})
    if (actorUsers.hasOwnAudience && (names.includes('aud') || names.includes('scope')))
      return [
        {
          reason: `the token ${token.name} says another audience, and the tokens here have one of their own`,
          wants: [],
        },
      ]
    return []
  })
}

const isMade = ({ none, header }: TokenTemplate): boolean => !none && header === undefined

const usersLacking = (row: ResolvedRow, steps: readonly ResolvedStep[], availability: Availability): Lacking[] => {
  const names = [...new Set(steps.map(({ actor }) => actor))]
  return names.flatMap((actor) => {
    const reason = explainUnsuitableUser(actor, row, steps, availability.actorUsers, availability.actors)
    return reason === undefined ? [] : [{ reason: `no caller can act as ${actor} here: ${reason}`, wants: [actor] }]
  })
}
