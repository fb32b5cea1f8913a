import { isJsonObject } from '../../lib/json/json.js'
import type { Unsuitability } from '../../record/types/reason.js'
import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { variablesIn } from '../suite/resolved-suite.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUser, ActorUsers } from '../target/actor-users.js'

/** Undefined: suitable. */
export function unsuitabilityOf(
  actor: string,
  row: ResolvedRow,
  steps: readonly ResolvedStep[],
  actorUsers: ActorUsers,
  actors: ReadonlyMap<string, ResolvedActor>,
): Unsuitability | undefined {
  const actorUser = actorUsers.byActor.get(actor)
  const own = actors.get(actor)
  if (!actorUser) return { code: 'no-credential' }
  const { user, rights } = actorUser
  if (actorUser.isShared && own?.apart) return { code: 'user-shared', user }
  const namesake = otherNamed(actor, row, actorUsers.byActor)
  if (namesake !== undefined) return { code: 'users-equal', user, other: namesake }
  if (!rights || !own) return undefined
  const needed = rightsNeeded(
    own.rights,
    row,
    steps.filter((step) => step.actor === actor),
  )
  const missing = needed.find((right) => !covers(rights, right))
  if (missing !== undefined) return { code: 'right-missing', user, right: missing }
  if (!testsRights(actor, row)) return undefined
  const surplus = [...rights].find((right) => !own.rights.some((one) => one === right))
  return surplus === undefined ? undefined : { code: 'right-surplus', user, right: surplus }
}

const testsRights = (actor: string, { needs, steps }: ResolvedRow): boolean =>
  needs.includes('authorization') && steps.some((step) => step.role === 'act' && step.actor === actor && !step.token)

/** Of the variables that name the user of an actor. */
const userPrefix = 'user.'

function otherNamed(actor: string, row: ResolvedRow, byActor: ReadonlyMap<string, ActorUser>): string | undefined {
  const user = byActor.get(actor)?.user
  const used = [variablesIn(row.values), ...row.steps.map(({ request }) => variablesIn(request))]
  return used
    .flatMap((names) => [...names])
    .flatMap((name) => (name.startsWith(userPrefix) ? name.slice(userPrefix.length) : []))
    .find((name) => name !== actor && byActor.get(name)?.user === user)
}

/** An upper bound. */
function rightsNeeded(rights: readonly string[], row: ResolvedRow, steps: readonly ResolvedStep[]): string[] {
  return rights.filter((right) => {
    const [kind, party] = right.split(' ')
    if (party !== undefined) return row.fixtures.includes(party)
    if (kind === 'ParticipantAdmin') return steps.some(({ operation }) => administrative.has(operation))
    return kind !== 'CanReadAsAnyParty' || steps.some((step) => readsAnything(step, row))
  })
}

/** Operations that need ParticipantAdmin (observed on 3.5.10, or read in its source). */
const administrative: ReadonlySet<string> = new Set([
  'update-package-vetting',
  'upload-dar',
  'allocate-party',
  'allocate-external-party',
  'get-party',
  'create-user',
  'get-user',
  'delete-user',
  'grant-rights',
])

/** Rights are checked before names (observed on 3.5.10), so an invalid party needs CanReadAsAnyParty. */
function readsAnything({ operation, request: { body } }: ResolvedStep, row: ResolvedRow): boolean {
  if (!body) return operation === 'contract-by-id'
  if (!('json' in body)) return true
  const named = partiesIn(body.json)
  if (operation === 'contract-by-id' && named.length === 0) return true
  return named.some((party) => !isOwn(party, row))
}

function partiesIn(data: Data): (Data | undefined)[] {
  if (Array.isArray(data)) return data.flatMap(partiesIn)
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => {
    if (name === 'queryingParties' || name === 'readAs') return listed(value, name === 'readAs')
    if (name === 'filtersByParty') return listed(isJsonObject(value) ? Object.keys(value) : value, true)
    return name === 'filtersForAnyParty' && value !== null ? [undefined] : partiesIn(value)
  })
}

const listed = (value: Data, mayBeEmpty: boolean): (Data | undefined)[] =>
  Array.isArray(value) && (value.length > 0 || mayBeEmpty) ? value : [undefined]

function isOwn(party: Data | undefined, { fixtures, values }: ResolvedRow): boolean {
  const name = typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
  if (name === undefined) return false
  const value = values[name]
  const fixture = typeof value === 'string' ? /^\$\{([\w-]+)\}$/.exec(value)?.[1] : name
  return fixture !== undefined && fixtures.includes(fixture)
}

const stronger: Readonly<Record<string, readonly string[]>> = {
  CanReadAs: ['CanActAs', 'CanReadAsAnyParty'],
  CanExecuteAs: ['CanActAs', 'CanExecuteAsAnyParty'],
}

function covers(held: ReadonlySet<string>, right: string): boolean {
  const [kind = '', party] = right.split(' ')
  const kinds = [kind, ...(stronger[kind] ?? [])]
  return kinds.some((one) => held.has(one.endsWith('AnyParty') || party === undefined ? one : `${one} ${party}`))
}
