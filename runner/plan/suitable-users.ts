/** Whether a user who is there already can play an actor in a row, so that the row shows what it is meant to show. */
import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedActor } from '../suite/resolved-suite.js'
import type { ActorUser, ActorUsers } from '../target/actor-users.js'

/** Undefined: it can be played. `steps` are those of the row and of its fixtures. */
export function explainUnsuitableUser(
  actor: string,
  row: ResolvedRow,
  steps: readonly ResolvedStep[],
  actorUsers: ActorUsers,
  actors: ReadonlyMap<string, ResolvedActor>,
): string | undefined {
  const actorUser = actorUsers.byActor.get(actor)
  const own = actors.get(actor)
  if (!actorUser) return 'no credential is given for it'
  if (actorUser.isShared && own?.apart)
    return `the user ${actorUser.user} plays others too, and it must be a user of its own`
  const namesake = otherNamed(actor, row, actorUsers.byActor)
  if (namesake) return `the user ${actorUser.user} is also ${namesake}, and the row tells the two apart`
  const { rights } = actorUser
  if (!rights || !own) return undefined
  const needed = rightsNeeded(
    own.rights,
    row,
    steps.filter((step) => step.actor === actor),
  )
  const missing = needed.find((right) => !covers(rights, right))
  if (missing !== undefined) return `the user ${actorUser.user} lacks ${missing}`
  if (!showsRights(actor, row)) return undefined
  const surplus = [...rights].find((right) => !own.rights.some((one) => one === right))
  return surplus && `the user ${actorUser.user} has ${surplus} besides, and the row is about what ${actor} may do`
}

/** Rows for which it must not matter that a user may do more are all but these. */
const showsRights = (actor: string, { needs, steps }: ResolvedRow): boolean =>
  needs.includes('authorization') && steps.some((step) => step.role === 'act' && step.actor === actor && !step.token)

/** Somebody else of whom the row speaks by name, and who is the same user. */
function otherNamed(actor: string, row: ResolvedRow, byActor: ReadonlyMap<string, ActorUser>): string | undefined {
  const named = JSON.stringify([row.values, row.steps.map(({ request }) => request)]).matchAll(/\$\{user\.([\w-]+)\}/g)
  const user = byActor.get(actor)?.user
  return [...named].map(([, name = '']) => name).find((name) => name !== actor && byActor.get(name)?.user === user)
}

/** Of the rights of an actor, those without which its steps would be refused. Rather too many than too few. */
function rightsNeeded(rights: readonly string[], row: ResolvedRow, steps: readonly ResolvedStep[]): string[] {
  return rights.filter((right) => {
    const [kind, party] = right.split(' ')
    if (party !== undefined) return row.fixtures.includes(party)
    if (kind === 'ParticipantAdmin') return steps.some(({ operation }) => administrative.has(operation))
    return kind !== 'CanReadAsAnyParty' || steps.some((step) => readsAnything(step, row))
  })
}

/** Operations that take the right to administer the participant (seen on 3.5.10, or read in its source). */
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

/**
 * It takes the right to read as any party to read without naming one, or for one that nobody has rights on: such names are held
 * against rights before they are looked at (seen on 3.5.10).
 */
function readsAnything({ operation, request: { body } }: ResolvedStep, row: ResolvedRow): boolean {
  if (!body) return operation === 'contract-by-id'
  if (!('json' in body)) return true
  const named = partiesIn(body.json)
  if (operation === 'contract-by-id' && named.length === 0) return true
  return named.some((party) => !isOwn(party, row))
}

/** Of whom somebody reads, each as it is named; what is no list of texts, or empty, counts as a party that nobody knows. */
function partiesIn(data: Data): (Data | undefined)[] {
  if (Array.isArray(data)) return data.flatMap(partiesIn)
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => {
    if (name === 'queryingParties' || name === 'readAs') return listed(value, name === 'readAs')
    if (name === 'filtersByParty') return listed(isMap(value) ? Object.keys(value) : value, true)
    return name === 'filtersForAnyParty' && value !== null ? [undefined] : partiesIn(value)
  })
}

const isMap = (value: Data): value is { [name: string]: Data } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listed = (value: Data, mayBeEmpty: boolean): (Data | undefined)[] =>
  Array.isArray(value) && (value.length > 0 || mayBeEmpty) ? value : [undefined]

/** A party of the suite, named by its fixture or by a value of the row that is one. */
function isOwn(party: Data | undefined, { fixtures, values }: ResolvedRow): boolean {
  const name = typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
  if (name === undefined) return false
  const value = values[name]
  const meant = typeof value === 'string' ? /^\$\{([\w-]+)\}$/.exec(value)?.[1] : name
  return meant !== undefined && fixtures.includes(meant)
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
