import { grammars } from '../../../interface/grammars.js'
import type { IdentityProviders } from '../../auth/identity-providers.js'
import type { Users } from '../../auth/users.js'
import { checkOptionalField } from '../../base/checks.js'
import { type ErrorOrigin, invalidArgument, RedactedError } from '../../base/errors.js'

/** Throws `INVALID_FIELD` and `INVALID_ARGUMENT`. */
export function refuseUnknownProvider(origin: ErrorOrigin, id: string, providers: IdentityProviders): void {
  checkOptionalField(origin, 'identity_provider_id', grammars.ledgerString, id)
  if (id === '' || providers.knows(id)) return
  throw invalidArgument(origin, `Provided identity_provider_id ${id} has not been found.`)
}

/** Throws `RedactedError` if the user belongs to another identity provider. */
export function demandProvider(id: string, provider: string, users: Users): void {
  const user = users.find(id)
  if (user && user.identityProviderId !== provider) throw new RedactedError('PERMISSION_DENIED')
}
