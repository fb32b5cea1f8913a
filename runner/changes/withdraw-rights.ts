/** Takes back what a run gave to users: rights, and with users that it made itself also that they can call at all. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { GrantedRights } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { TargetError, TargetRejection } from '../target/target.js'
import { valueAt } from '../template/pointer.js'

/**
 * Whatever is answered on the way, it is looked afterwards what the user is and may do. `isWorthTrying` is asked before each
 * call. Throws `TargetError` unless everything is taken back, or nobody is there. True: there was something to take back.
 */
export async function withdrawRights(
  { user, isMade, rights }: GrantedRights,
  call: Caller,
  isWorthTrying: () => boolean,
): Promise<boolean> {
  const problems: string[] = []
  const attempt = async (operation: Parameters<Caller>[0], body: JsonValue): Promise<void> => {
    if (!isWorthTrying()) throw outOfTime()
    await call(operation, body, { user }).catch((error: unknown) => {
      problems.push(messageOf(error))
    })
  }
  if (isMade) await attempt('update-user', deactivation(user))
  if (rights.length > 0) await attempt('revoke-rights', { userId: user, rights, identityProviderId: '' })
  if (!isWorthTrying()) throw outOfTime()
  try {
    if (isMade && !(await isDeactivated(user, call))) throw new TargetError('the user is not deactivated')
    const held = await rightsOf(user, call)
    const left = isMade ? held : held.filter((one) => rights.some((right) => isSame(one, right)))
    if (left.length > 0) throw new TargetError(`the user still has ${left.map((one) => printJson(one)).join(', ')}`)
    return true
  } catch (error) {
    if (error instanceof TargetRejection && error.status === 404 && error.code === notThere) return false
    throw new TargetError([messageOf(error), ...problems].join('; '))
  }
}

const notThere = 'USER_NOT_FOUND'

const outOfTime = (): TargetError => new TargetError('there was no time left for it')

/** Throws what is no refusal of the target: a fault of ours. */
function messageOf(error: unknown): string {
  if (error instanceof TargetError) return error.message
  throw error
}

const deactivation = (id: string): JsonValue => ({
  user: { id, primaryParty: '', isDeactivated: true, identityProviderId: '' },
  updateMask: { paths: ['is_deactivated'], unknownFields: { fields: {} } },
})

const isDeactivated = async (user: string, call: Caller): Promise<boolean> =>
  valueAt(await call('get-user', undefined, { user }), '/user/isDeactivated') === true

async function rightsOf(user: string, call: Caller): Promise<readonly JsonValue[]> {
  const listed = valueAt(await call('list-user-rights', undefined, { user }), '/rights')
  if (Array.isArray(listed)) return listed
  throw new TargetError('the target does not list the rights of the user')
}

/** Both name a kind, and a party where it takes one. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  const [[kind, content] = []] = kindsIn(one)
  const [[otherKind, otherContent] = []] = kindsIn(other)
  const party = (value: JsonValue | undefined) => valueAt(value ?? null, '/value/party')
  return kind !== undefined && kind === otherKind && party(content) === party(otherContent)
}

function kindsIn(right: JsonValue): [string, JsonValue][] {
  const kinds = valueAt(right, '/kind')
  return typeof kinds === 'object' && kinds !== null ? Object.entries(kinds) : []
}
