/** Users and their rights. */
import { grammars, violation } from '../../../interface/grammars.js'
import type { JsonObject } from '../../../interface/json.js'
import { demandUser, demandUserAdmin } from '../../auth/authorize.js'
import type { GeneralRightKind, PartyRightKind, Right, User } from '../../auth/users.js'
import { invalidField, invalidToken } from '../../errors.js'
import {
  type Decoder,
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
} from '../../json/decode.js'
import { ok } from '../answer.js'
import { endpoint } from '../endpoint.js'

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

const createUserBody = members({
  user: required(
    members({ id: required(text), primaryParty: optional(text, ''), isDeactivated: optional(flag, false) }),
  ),
  rights: optional(list(right), []),
})

export const createUser = endpoint({
  method: 'post',
  path: '/v2/users',
  body: createUserBody,
  handle: ({ participant, caller, body }) => {
    demandUserAdmin(caller)
    const problem = violation(grammars.userId, body.user.id)
    if (problem) throw invalidField('management', 'id', problem)
    return ok({ user: printUser(participant.users.create({ ...body.user, annotations: {} }, body.rights)) })
  },
})

export const listUsers = endpoint({
  method: 'get',
  path: '/v2/users',
  handle: ({ participant, caller }) => {
    demandUserAdmin(caller)
    return ok({ users: participant.users.all().map(printUser), nextPageToken: '' })
  },
})

export const getUser = endpoint({
  method: 'get',
  path: '/v2/users/:user',
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    return ok({ user: printUser(participant.users.get(params['user'] ?? '')) })
  },
})

export const deleteUser = endpoint({
  method: 'delete',
  path: '/v2/users/:user',
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    participant.users.delete(params['user'] ?? '')
    return ok({})
  },
})

export const listRights = endpoint({
  method: 'get',
  path: '/v2/users/:user/rights',
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    return ok({ rights: participant.users.rights(params['user'] ?? '').map(printRight) })
  },
})

export const grantRights = endpoint({
  method: 'post',
  path: '/v2/users/:user/rights',
  body: rightsBody,
  handle: ({ participant, caller, params, body }) => {
    demandUserAdmin(caller)
    return ok({ newlyGrantedRights: participant.users.grant(params['user'] ?? '', body.rights).map(printRight) })
  },
})

export const revokeRights = endpoint({
  method: 'patch',
  path: '/v2/users/:user/rights',
  body: rightsBody,
  handle: ({ participant, caller, params, body }) => {
    demandUserAdmin(caller)
    return ok({ newlyRevokedRights: participant.users.revoke(params['user'] ?? '', body.rights).map(printRight) })
  },
})

export const authenticatedUser = endpoint({
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
