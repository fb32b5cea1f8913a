/** Whether a user who is there already can play an actor in a row, so that the row shows what it is meant to show. */
import type { ResolvedRow, ResolvedStep } from '../../record/resolved-row.js'
import type { Player } from '../target/cast.js'
import type { Means } from './means.js'

/** Undefined: it can be played. `steps` are those of the row and of its fixtures. */
export function whyNotPlayed(
  actor: string,
  row: ResolvedRow,
  steps: readonly ResolvedStep[],
  { cast, actors }: Pick<Means, 'cast' | 'actors'>,
): string | undefined {
  const player = cast.players.get(actor)
  const own = actors.get(actor)
  if (!player) return 'no credential is given for it'
  if (player.shared && own?.apart) return `the user ${player.user} plays others too, and it must be a user of its own`
  const namesake = otherNamed(actor, row, cast.players)
  if (namesake) return `the user ${player.user} is also ${namesake}, and the row tells the two apart`
  const { rights } = player
  if (!rights || !own) return undefined
  const needed = rightsNeeded(
    own.rights,
    row,
    steps.filter((step) => step.actor === actor),
  )
  const missing = needed.find((right) => !covers(rights, right))
  if (missing !== undefined) return `the user ${player.user} lacks ${missing}`
  if (!showsRights(actor, row)) return undefined
  const surplus = [...rights].find((right) => !own.rights.some((one) => one === right))
  return surplus && `the user ${player.user} has ${surplus} besides, and the row is about what ${actor} may do`
}

/** Rows for which it must not matter that a user may do more are all but these. */
const showsRights = (actor: string, { needs, steps }: ResolvedRow): boolean =>
  needs.includes('authorization') && steps.some((step) => step.role === 'act' && step.actor === actor && !step.token)

/** Somebody else of whom the row speaks by name, and who is the same user. */
function otherNamed(actor: string, row: ResolvedRow, players: ReadonlyMap<string, Player>): string | undefined {
  const named = JSON.stringify([row.values, row.steps.map(({ request }) => request)]).matchAll(/\$\{user\.([\w-]+)\}/g)
  const user = players.get(actor)?.user
  return [...named].map(([, name = '']) => name).find((name) => name !== actor && players.get(name)?.user === user)
}

/** Of the rights of an actor, those without which its steps would be refused. Rather too many than too few. */
function rightsNeeded(rights: readonly string[], row: ResolvedRow, steps: readonly ResolvedStep[]): string[] {
  return rights.filter((right) => {
    const [kind, party] = right.split(' ')
    if (party !== undefined) return row.fixtures.includes(party)
    if (kind === 'ParticipantAdmin') return steps.some(({ operation }) => administrative.has(operation))
    return kind !== 'CanReadAsAnyParty' || steps.some(readsAnything)
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

/** Without parties to read as, it takes the right to read as any (seen on 3.5.10). */
function readsAnything({ operation, request: { body } }: ResolvedStep): boolean {
  const text = JSON.stringify(body ?? null)
  if (operation === 'contract-by-id') return !/"queryingParties":\["/.test(text)
  return text.includes('filtersForAnyParty') || text.includes('"filtersByParty":{}')
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
