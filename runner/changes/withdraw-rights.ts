import { type JsonValue, printJson } from '../../lib/json/json.js'
import { type GrantedRights, parseRight } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { TargetError, TargetRejection } from '../target/target.js'
import { valueAt } from '../template/pointer.js'

/** False if the user does not exist. Throws `TargetError` if rights remain, or without time. */
export async function withdrawRights(
  { user, isMade, rights }: GrantedRights,
  call: Caller,
  hasTime: () => boolean,
): Promise<boolean> {
  const problems: string[] = []
  const attempt = async (operation: Parameters<Caller>[0], body: JsonValue): Promise<void> => {
    if (!hasTime()) throw outOfTime()
    await call(operation, body, { user }).catch((error: unknown) => {
      problems.push(messageOf(error))
    })
  }
  if (isMade) await attempt('update-user', deactivation(user))
  if (rights.length > 0) await attempt('revoke-rights', { userId: user, rights, identityProviderId: '' })
  if (!hasTime()) throw outOfTime()
  try {
    if (isMade && !(await isDeactivated(user, call))) throw new TargetError('the user is not deactivated')
    const held = await rightsOf(user, call)
    const left = isMade ? held : held.filter((one) => rights.some((right) => isSame(one, right)))
    if (left.length > 0) throw new TargetError(`the user still has ${left.map((one) => printJson(one)).join(', ')}`)
    return true
  } catch (error) {
    if (error instanceof TargetRejection && error.status === 404 && error.code === userNotFound) return false
    throw new TargetError([messageOf(error), ...problems].join('; '))
  }
}

const userNotFound = 'USER_NOT_FOUND'

const outOfTime = (): TargetError => new TargetError('the time limit is reached')

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
  throw new TargetError('list-user-rights returned no list of rights')
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  const [right, otherRight] = [parseRight(one), parseRight(other)]
  return right !== undefined && right.kind === otherRight?.kind && right.party === otherRight.party
}
