import { grammars } from '../../interface/grammars.js'
import { demandAdmin } from '../auth/caller.js'
import { type IdentityProvider, refuseMask } from '../auth/identity-providers.js'
import { checkField } from '../base/checks.js'
import { databaseTransient, invalidArgument, invalidField, missingField, ReferenceFault } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { absentable, flag, message, optional, text } from '../json/decode.js'
import { demandProvider, leavesIn, refuseUnknownProvider, updateMask } from './accounts.js'

const providerBody = message({
  identityProviderId: optional(text, ''),
  isDeactivated: optional(flag, false),
  issuer: optional(text, ''),
  jwksUrl: optional(text, ''),
  audience: optional(text, ''),
})

/** Throws `MISSING_FIELD` and `INVALID_FIELD`. */
function checkId(id: string): void {
  if (id === '') throw missingField('service', 'identity_provider_id')
  checkField('service', 'identity_provider_id', grammars.ledgerString, id)
}

/** Absolute, of a scheme that Java has a handler for (from the source of the reference). */
const keysUrl = /^(?:https?|ftp|file|jar|jmod|jrt|mailto):[^\s<>"{}|\\^`]+$/i

/** Throws `INVALID_FIELD`. */
function checkKeysUrl(jwksUrl: string): void {
  if (!keysUrl.test(jwksUrl)) throw invalidField('service', 'jwks_url', 'Malformed URL')
}

/** Throws `MISSING_FIELD` and `INVALID_FIELD`. */
function refuseBadProvider({ identityProviderId, issuer, jwksUrl }: IdentityProvider): void {
  checkId(identityProviderId)
  if (jwksUrl === '') throw missingField('service', 'jwks_url')
  checkKeysUrl(jwksUrl)
  if (issuer === '') throw missingField('service', 'issuer')
}

const createBody = message({ identityProviderConfig: absentable(providerBody) })

const createProvider = endpoint({
  method: 'post',
  path: '/v2/idps',
  body: createBody,
  handle: ({ participant: { identityProviders }, caller, body: { identityProviderConfig: given } }) => {
    demandAdmin(caller)
    if (!given) throw missingField('service', 'identity_provider_config')
    refuseBadProvider(given)
    return ok({ identityProviderConfig: { ...identityProviders.create(given) } })
  },
})

const listProviders = endpoint({
  method: 'get',
  path: '/v2/idps',
  handle: ({ participant: { identityProviders }, caller }) => {
    demandAdmin(caller)
    return ok({ identityProviderConfigs: identityProviders.all().map((provider) => ({ ...provider })) })
  },
})

const path = '/v2/idps/:provider'

const getProvider = endpoint({
  method: 'get',
  path,
  handle: ({ participant: { identityProviders }, caller, params }) => {
    demandAdmin(caller)
    const id = params['provider'] ?? ''
    checkId(id)
    return ok({ identityProviderConfig: { ...identityProviders.get(id) } })
  },
})

/** By the paths of the update mask. An empty issuer or URL changes nothing. */
const changedBy = {
  identity_provider_id: () => ({}),
  is_deactivated: ({ isDeactivated }) => ({ isDeactivated }),
  issuer: ({ issuer }) => (issuer === '' ? {} : { issuer }),
  jwks_url: ({ jwksUrl }) => (jwksUrl === '' ? {} : { jwksUrl }),
  audience: ({ audience }) => ({ audience }),
} satisfies Record<string, (given: IdentityProvider) => Partial<IdentityProvider>>

const updatedFields = Object.keys(changedBy) as (keyof typeof changedBy)[] // the keys of the table above

const updateBody = message({ identityProviderConfig: absentable(providerBody), updateMask: absentable(updateMask) })

/** From the source of the reference; the masks follow those of users. */
const updateProvider = endpoint({
  method: 'patch',
  path,
  body: updateBody,
  handle: ({ participant: { identityProviders }, caller, params, body }) => {
    demandAdmin(caller)
    const id = params['provider'] ?? ''
    const { identityProviderConfig: given, updateMask: mask } = body
    if (given?.identityProviderId !== id) {
      throw invalidArgument('conversion', `${id} does not match the id in the body: ${given?.identityProviderId ?? ''}`)
    }
    checkId(id)
    if (given.jwksUrl !== '') checkKeysUrl(given.jwksUrl)
    if (!mask) throw missingField('service', 'update_mask')
    const fields = leavesIn(mask.paths, updatedFields, (problem) => refuseMask(id, problem))
    const changes = [...fields].map((field) => changedBy[field](given))
    return ok({ identityProviderConfig: { ...identityProviders.update(id, Object.assign({}, ...changes)) } })
  },
})

const deleteProvider = endpoint({
  method: 'delete',
  path,
  handle: ({ participant: { identityProviders, users }, caller, params }) => {
    demandAdmin(caller)
    const id = params['provider'] ?? ''
    checkId(id)
    if (users.all().some(({ identityProviderId }) => identityProviderId === id)) throw hasUsers(id)
    identityProviders.delete(id)
    return ok({})
  },
})

function hasUsers(id: string): ReferenceFault {
  const reference = databaseTransient('reading', 'Processing the request failed due to a transient database error.', {
    context: { metric: 'delete_identity_provider_config' },
  })
  const proper = invalidArgument('service', `the identity provider ${id} has users`)
  return new ReferenceFault(reference, proper, 'server-error-for-provider-with-users')
}

const moveBody = message({
  userId: optional(text, ''),
  sourceIdentityProviderId: optional(text, ''),
  targetIdentityProviderId: optional(text, ''),
})

/** Only its path is observed. */
const moveUser = endpoint({
  method: 'patch',
  path: '/v2/users/:user/identity-provider-id',
  body: moveBody,
  handle: ({ participant: { identityProviders, users }, caller, params, body }) => {
    demandAdmin(caller)
    const id = params['user'] ?? ''
    if (body.userId !== id) throw invalidArgument('conversion', `${id} does not match user in body: ${body.userId}`)
    refuseUnknownProvider('management', body.sourceIdentityProviderId, identityProviders)
    refuseUnknownProvider('management', body.targetIdentityProviderId, identityProviders)
    demandProvider(id, body.sourceIdentityProviderId, users)
    users.moveTo(body.targetIdentityProviderId, id)
    return ok({})
  },
})

export const identityProviderEndpoints: readonly Endpoint[] = [
  createProvider,
  listProviders,
  getProvider,
  updateProvider,
  deleteProvider,
  moveUser,
]
