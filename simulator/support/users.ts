import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandUser, demandUserAdmin } from '../auth/caller.js'
import type { GeneralRightKind, PartyRightKind, Right, User } from '../auth/users.js'
import { checkArgument, checkField } from '../base/checks.js'
import { invalidArgument, invalidToken, invalidUserUpdate } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import {
  type Decoder,
  dictionary,
  flag,
  lenientMessage,
  list,
  mapped,
  members,
  message,
  optional,
  required,
  text,
  union,
} from '../json/decode.js'
import { pageOf, pageSizes } from './page.js'

const general = (kind: GeneralRightKind): Decoder<Right> => mapped(lenientMessage({}), (): Right => ({ kind }))
const forParty = (kind: PartyRightKind): Decoder<Right> =>
  mapped(
    message({ value: required(message({ party: required(text) })) }),
    ({ value }): Right => ({
      kind,
      party: value.party,
    }),
  )

const right = mapped(
  members({
    kind: required(
      union<Right>({
        ParticipantAdmin: general('ParticipantAdmin'),
        IdentityProviderAdmin: general('IdentityProviderAdmin'),
        CanReadAsAnyParty: general('CanReadAsAnyParty'),
        CanExecuteAsAnyParty: general('CanExecuteAsAnyParty'),
        CanActAs: forParty('CanActAs'),
        CanReadAs: forParty('CanReadAs'),
        CanExecuteAs: forParty('CanExecuteAs'),
      }),
    ),
  }),
  ({ kind }) => kind,
)

const rightsBody = members({ userId: optional(text, ''), rights: optional(list(right), []) })

const printRight = (item: Right): JsonObject => ({
  kind: { [item.kind]: { value: 'party' in item ? { party: item.party } : {} } },
})

const printUser = ({ id, primaryParty, isDeactivated, annotations }: User): JsonObject => ({
  id,
  primaryParty,
  isDeactivated,
  metadata: { resourceVersion: '0', annotations },
  identityProviderId: '',
  primaryPartyAuthentication: false,
})

const checkUserId = (id: string, field = 'user_id'): void => checkField('management', field, grammars.userId, id)

function userIn(params: Record<string, string>): string {
  const id = params['user'] ?? ''
  checkUserId(id)
  return id
}

function refuseBadParties({ user, rights }: { user?: { primaryParty: string }; rights: readonly Right[] }): void {
  const primary = user === undefined || user.primaryParty === '' ? [] : [user.primaryParty]
  const parties = [...primary, ...rights.flatMap((item) => ('party' in item ? [item.party] : []))]
  for (const party of parties) checkArgument('management', grammars.partyId, party)
}

const createUserBody = members({
  user: required(
    members({ id: required(text), primaryParty: optional(text, ''), isDeactivated: optional(flag, false) }),
  ),
  rights: optional(list(right), []),
})

const createUser = endpoint({
  ...on(supportOperations['create-user']),
  body: createUserBody,
  handle: ({ participant, caller, body }) => {
    demandUserAdmin(caller)
    checkUserId(body.user.id, 'id')
    refuseBadParties(body)
    return ok({ user: printUser(participant.users.create({ ...body.user, annotations: {} }, body.rights)) })
  },
})

const listUsers = endpoint({
  method: 'get',
  path: '/v2/users',
  handle: ({ participant: { users }, caller, query }) => {
    demandUserAdmin(caller)
    const ids = users.all().map(({ id }) => id)
    const { items, nextPageToken } = pageOf(ids, query, pageSizes.users, 'service')
    return ok({ users: items.map((id) => printUser(users.get(id))), nextPageToken })
  },
})

const getUser = endpoint({
  ...on(supportOperations['get-user']),
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    return ok({ user: printUser(participant.users.get(userIn(params))) })
  },
})

const updateUserBody = members({
  user: required(
    members({
      id: required(text),
      primaryParty: optional(text, ''),
      isDeactivated: optional(flag, false),
      metadata: optional(members({ annotations: optional(dictionary(text), new Map()) }), { annotations: new Map() }),
    }),
  ),
  updateMask: required(members({ paths: optional(list(text), []) })),
})

const updateUser = endpoint({
  ...on(supportOperations['update-user']),
  body: updateUserBody,
  handle: ({ participant, caller, params, body: { user, updateMask } }) => {
    demandUserAdmin(caller)
    refuseOtherUser(params['user'], user.id)
    checkUserId(user.id, 'id')
    refuseBadParties({ user, rights: [] })
    const changes = {
      primary_party: { primaryParty: user.primaryParty },
      is_deactivated: { isDeactivated: user.isDeactivated },
      'metadata.annotations': { annotations: Object.fromEntries(user.metadata.annotations) },
    }
    const wanted = Object.entries(changes).filter(([path]) => updateMask.paths.includes(path))
    if (wanted.length === 0 || updateMask.paths.some((path) => !Object.hasOwn(changes, path))) {
      const known = Object.keys(changes).join(', ')
      throw invalidUserUpdate('management', `the update mask must name the members to change, from ${known}`, {
        resources: [['USER', user.id]],
      })
    }
    const merged = Object.assign({}, ...wanted.map(([, change]) => change))
    return ok({ user: printUser(participant.users.update(user.id, merged)) })
  },
})

function refuseOtherUser(inPath: string | undefined, inBody: string): void {
  if (inBody === '' || inBody === inPath) return
  throw invalidArgument('conversion', `${inPath} does not match user in body: ${inBody}`)
}

const deleteUser = endpoint({
  ...on(supportOperations['delete-user']),
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    participant.users.delete(userIn(params))
    return ok({})
  },
})

const listRights = endpoint({
  ...on(supportOperations['list-user-rights']),
  handle: ({ participant, caller, params }) => {
    // Users may list their own rights (Ledger API documentation, not observed).
    if (caller.kind !== 'user' || caller.foreign || caller.userId !== params['user']) demandUserAdmin(caller)
    return ok({ rights: participant.users.rights(userIn(params)).map(printRight) })
  },
})

function userToChange(params: Record<string, string>, body: { userId: string; rights: readonly Right[] }): string {
  refuseOtherUser(params['user'], body.userId)
  const user = userIn(params)
  refuseBadParties(body)
  return user
}

const grantRights = endpoint({
  ...on(supportOperations['grant-rights']),
  body: rightsBody,
  handle: ({ participant, caller, params, body }) => {
    demandUserAdmin(caller)
    const user = userToChange(params, body)
    return ok({ newlyGrantedRights: participant.users.grant(user, body.rights).map(printRight) })
  },
})

const revokeRights = endpoint({
  ...on(supportOperations['revoke-rights']),
  body: rightsBody,
  handle: ({ participant, caller, params, body }) => {
    demandUserAdmin(caller)
    const user = userToChange(params, body)
    return ok({ newlyRevokedRights: participant.users.revoke(user, body.rights).map(printRight) })
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
