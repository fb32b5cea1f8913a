import { grammars, violation } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import {
  type Caller,
  demandAdminOfRights,
  demandToGrant,
  demandUser,
  demandUserAdmin,
  demandUserAdminOrSelf,
} from '../auth/caller.js'
import type { Right, User, Users } from '../auth/users.js'
import { checkArgument, checkField } from '../base/checks.js'
import { invalidArgument, invalidToken, invalidUserUpdate, missingField } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { absentable, type DecodedBy, flag, message, optional, text } from '../json/decode.js'
import type { Participant } from '../participant/participant.js'
import {
  checkedRights,
  demandProvider,
  initialAnnotations,
  leavesIn,
  metadataBody,
  metadataChange,
  onlyIf,
  pageOf,
  pageSizes,
  printRight,
  refuseUnknownProvider,
  rightsList,
  updateMask,
} from './accounts.js'

const userBody = message({
  id: optional(text, ''),
  primaryParty: optional(text, ''),
  isDeactivated: optional(flag, false),
  metadata: absentable(metadataBody),
  identityProviderId: optional(text, ''),
  primaryPartyAuthentication: optional(flag, false),
})

type UserBody = DecodedBy<typeof userBody>

const metadataOfUser = { origin: 'management', object: 'user.metadata' } as const

const printUser = ({ metadata, ...user }: User): JsonObject => ({
  id: user.id,
  primaryParty: user.primaryParty,
  isDeactivated: user.isDeactivated,
  metadata: { resourceVersion: String(metadata.version), annotations: { ...metadata.annotations } },
  identityProviderId: user.identityProviderId,
  primaryPartyAuthentication: user.primaryPartyAuthentication,
})

function userIn(params: Record<string, string>): string {
  const id = params['user'] ?? ''
  const problem = violation(grammars.userId, id)
  if (problem) throw invalidArgument('conversion', `Malformed user-id: ${problem}`)
  return id
}

/** Throws `MISSING_FIELD`, `INVALID_FIELD` and `INVALID_ARGUMENT`. */
function checkUser(user: UserBody | undefined, { identityProviders }: Participant): UserBody {
  if (!user) throw missingField('management', 'user')
  if (user.id === '') throw missingField('management', 'id')
  checkField('management', 'id', grammars.userId, user.id)
  checkParties(user.primaryParty === '' ? [] : [user.primaryParty])
  refuseUnknownProvider('management', user.identityProviderId, identityProviders)
  return user
}

function checkParties(parties: readonly string[]): void {
  for (const party of parties) checkArgument('management', grammars.partyId, party)
}

function validRights(given: DecodedBy<typeof rightsList>): Right[] {
  const rights = checkedRights(given)
  checkParties(rights.flatMap((right) => ('party' in right ? [right.party] : [])))
  return rights
}

const createUserBody = message({ user: absentable(userBody), rights: optional(rightsList, []) })

const createUser = endpoint({
  ...on(supportOperations['create-user']),
  body: createUserBody,
  handle: ({ participant, caller, body }) => {
    demandToGrant(caller, body.rights, participant.behaviour)
    const { metadata, ...user } = checkUser(body.user, participant)
    const annotations = initialAnnotations(metadata, metadataOfUser)
    const rights = validRights(body.rights)
    const created = participant.users.create({ ...user, metadata: { annotations, version: 0 } }, rights)
    return ok({ user: printUser(created) })
  },
})

const listUsers = endpoint({
  method: 'get',
  path: '/v2/users',
  handle: ({ participant: { users }, caller, query }) => {
    demandUserAdmin(caller)
    const provider = query.get('identity-provider-id') ?? ''
    const ids = users.all().flatMap(({ id, identityProviderId }) => (identityProviderId === provider ? [id] : []))
    const { items, nextPageToken } = pageOf(ids, query, pageSizes.users, 'service')
    return ok({ users: items.map((id) => printUser(users.get(id))), nextPageToken })
  },
})

const getUser = endpoint({
  ...on(supportOperations['get-user']),
  handle: ({ participant: { users }, caller, params, query }) => {
    demandUserAdminOrSelf(caller, params['user'] ?? '')
    const id = userIn(params)
    demandProvider(id, query.get('identity-provider-id') ?? '', users)
    return ok({ user: printUser(users.get(id)) })
  },
})

const updatedFields = [
  'id',
  'primary_party',
  'is_deactivated',
  'identity_provider_id',
  'primary_party_authentication',
  'metadata.annotations',
  'metadata.resource_version',
] as const

const updateUserBody = message({ user: absentable(userBody), updateMask: absentable(updateMask) })

const updateUser = endpoint({
  ...on(supportOperations['update-user']),
  body: updateUserBody,
  handle: ({ participant, caller, params, body }) => {
    demandUserAdmin(caller)
    const { users } = participant
    const id = userIn(params)
    refuseOtherUser(id, body.user?.id)
    const user = checkUser(body.user, participant)
    if (!body.updateMask) throw missingField('management', 'update_mask')
    const change = metadataChange(user.metadata, metadataOfUser)
    const fields = leavesIn(body.updateMask.paths, updatedFields, (problem) =>
      invalidUserUpdate('management', `Update operation for user id '${id}' failed due to: ${problem}`, {
        resources: [['USER', id]],
      }),
    )
    if (fields.has('is_deactivated') && user.isDeactivated) refuseSelf(caller, id, 'cannot self-deactivate')
    const updated = users.update(
      id,
      {
        ...(fields.has('primary_party') && { primaryParty: user.primaryParty }),
        ...(fields.has('is_deactivated') && { isDeactivated: user.isDeactivated }),
      },
      onlyIf(fields.has('metadata.annotations'), change),
    )
    return ok({ user: printUser(updated) })
  },
})

/** Throws `INVALID_ARGUMENT`: an administrator stays one. */
function refuseSelf(caller: Caller, id: string, problem: string): void {
  if (caller.kind === 'user' && caller.userId === id) throw invalidArgument('management', `Requesting user ${problem}`)
}

function refuseOtherUser(inPath: string, inBody: string | undefined): void {
  if (inBody === inPath) return
  throw invalidArgument('conversion', `${inPath} does not match user in body: ${inBody ?? ''}`)
}

const deleteUser = endpoint({
  ...on(supportOperations['delete-user']),
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    const id = userIn(params)
    refuseSelf(caller, id, 'cannot delete itself')
    participant.users.delete(id)
    return ok({})
  },
})

const listRights = endpoint({
  ...on(supportOperations['list-user-rights']),
  handle: ({ participant, caller, params }) => {
    demandUserAdminOrSelf(caller, params['user'] ?? '')
    return ok({ rights: participant.users.rights(userIn(params)).map(printRight) })
  },
})

const rightsBody = message({
  userId: optional(text, ''),
  rights: optional(rightsList, []),
  identityProviderId: optional(text, ''),
})

function userToChange(params: Record<string, string>, body: DecodedBy<typeof rightsBody>, users: Users): string {
  const id = userIn(params)
  refuseOtherUser(id, body.userId)
  demandProvider(id, body.identityProviderId, users)
  return id
}

const grantRights = endpoint({
  ...on(supportOperations['grant-rights']),
  body: rightsBody,
  handle: ({ participant: { users, behaviour }, caller, params, body }) => {
    demandToGrant(caller, body.rights, behaviour)
    const user = userToChange(params, body, users)
    return ok({ newlyGrantedRights: users.grant(user, validRights(body.rights)).map(printRight) })
  },
})

const revokeRights = endpoint({
  ...on(supportOperations['revoke-rights']),
  body: rightsBody,
  handle: ({ participant: { users }, caller, params, body }) => {
    demandAdminOfRights(caller, body.rights)
    const user = userToChange(params, body, users)
    const rights = validRights(body.rights)
    if (rights.some(({ kind }) => kind === 'ParticipantAdmin'))
      refuseSelf(caller, user, 'cannot revoke its own right ParticipantAdmin')
    return ok({ newlyRevokedRights: users.revoke(user, rights).map(printRight) })
  },
})

const authenticatedUser = endpoint({
  method: 'get',
  path: '/v2/authenticated-user',
  handle: ({ participant, caller }) => {
    demandUser(caller)
    if (caller.kind !== 'user') {
      throw invalidToken(
        'service',
        'The submitted request is missing a user-id: requests with an empty user-id are only supported if there is an authenticated user',
      )
    }
    return ok({ user: printUser(participant.users.get(caller.userId)) })
  },
})

export const userEndpoints: readonly Endpoint[] = [
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  listRights,
  grantRights,
  revokeRights,
  authenticatedUser,
]
