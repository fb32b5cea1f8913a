import {
  identityProviderExists,
  identityProviderIssuerExists,
  identityProviderNotFound,
  invalidIdentityProviderUpdate,
} from '../base/errors.js'

interface ProviderSettings {
  isDeactivated: boolean
  issuer: string
  jwksUrl: string
  audience: string
}

/** The simulator reads no keys of providers: its own setting verifies every token. */
export interface IdentityProvider extends ProviderSettings {
  identityProviderId: string
}

export type IdentityProvidersState = Map<string, IdentityProvider>

/** Beside the default provider, whose id is empty. Origins of errors: as observed on 3.5.10. */
export class IdentityProviders {
  readonly state: IdentityProvidersState

  constructor(state: IdentityProvidersState) {
    this.state = state
  }

  /** Throws `IDP_CONFIG_ALREADY_EXISTS` and `IDP_CONFIG_ISSUER_ALREADY_EXISTS`. */
  create(provider: IdentityProvider): IdentityProvider {
    const { identityProviderId: id } = provider
    const doing = 'creating identity provider config'
    if (this.knows(id)) {
      throw identityProviderExists('service', `${doing} failed, as identity provider "${id}" already exists`, {
        resources: [['IDENTITY_PROVIDER_CONFIG', id]],
      })
    }
    this.#refuseSecondIssuer(provider, doing)
    this.state.set(id, provider)
    return provider
  }

  knows(id: string): boolean {
    return this.state.has(id)
  }

  all(): IdentityProvider[] {
    return [...this.state.values()]
  }

  /** `doing` begins the message of `IDP_CONFIG_NOT_FOUND`. */
  get(id: string, doing = 'getting identity provider config'): IdentityProvider {
    const found = this.state.get(id)
    if (found) return found
    throw identityProviderNotFound('service', `${doing} failed for unknown identity provider id="${id}"`, {
      resources: [['IDENTITY_PROVIDER_CONFIG', id]],
    })
  }

  /** Throws also `IDP_CONFIG_ISSUER_ALREADY_EXISTS`. */
  update(id: string, changes: Partial<ProviderSettings>): IdentityProvider {
    const doing = 'updating identity provider config'
    const updated = { ...this.get(id, doing), ...changes }
    this.#refuseSecondIssuer(updated, doing)
    this.state.set(id, updated)
    return updated
  }

  delete(id: string): void {
    this.get(id, 'deleting identity provider config')
    this.state.delete(id)
  }

  #refuseSecondIssuer({ identityProviderId, issuer }: IdentityProvider, doing: string): void {
    const other = this.all().find((each) => each.issuer === issuer && each.identityProviderId !== identityProviderId)
    if (!other) return
    throw identityProviderIssuerExists(
      'service',
      `${doing} failed, as identity provider with issuer "${issuer}" already exists`,
      { resources: [['IDENTITY_PROVIDER_CONFIG', issuer]] },
    )
  }
}

export const refuseMask = (id: string, reason: string) =>
  invalidIdentityProviderUpdate(
    'service',
    `Update operation for identity provider config '${id}' failed due to: ${reason}`,
    { resources: [['IDENTITY_PROVIDER_CONFIG', id]] },
  )
