import {
  concurrentUserUpdate,
  type ErrorOrigin,
  tooManyUserRights,
  userAlreadyExists,
  userAnnotationsTooLarge,
  userNotFound,
} from '../base/errors.js'
import { type MetadataChange, newMetadata, type ObjectMetadata, updatedMetadata } from '../base/object-metadata.js'

export type PartyRightKind = 'CanActAs' | 'CanReadAs' | 'CanExecuteAs'
export type GeneralRightKind =
  | 'ParticipantAdmin'
  | 'IdentityProviderAdmin'
  | 'CanReadAsAnyParty'
  | 'CanExecuteAsAnyParty'
  | 'CanActAsAnyParty'

export type Right = { kind: GeneralRightKind } | { kind: PartyRightKind; party: string }

export interface User {
  id: string
  primaryParty: string
  isDeactivated: boolean
  /** Has no effect. */
  primaryPartyAuthentication: boolean
  /** Empty: the default provider. */
  identityProviderId: string
  metadata: ObjectMetadata
}

export const newUser = (id: string): User => ({
  id,
  primaryParty: '',
  isDeactivated: false,
  primaryPartyAuthentication: false,
  identityProviderId: '',
  metadata: newMetadata,
})

/** Of one user. */
const mostRights = 1000

const keyOf = (right: Right): string => ('party' in right ? `${right.kind} ${right.party}` : right.kind)

export type UsersState = Map<string, { user: User; rights: Map<string, Right> }>

export class Users {
  readonly state: UsersState

  constructor(state: UsersState) {
    this.state = state
  }

  static first(): Users {
    const users = new Users(new Map())
    users.create(newUser('participant_admin'), [{ kind: 'ParticipantAdmin' }])
    return users
  }

  create(user: User, rights: readonly Right[]): User {
    if (this.state.has(user.id)) {
      throw userAlreadyExists('management', `creating user failed, as user "${user.id}" already exists`, {
        resources: [['USER', user.id]],
      })
    }
    const held = new Map(rights.map((right) => [keyOf(right), right]))
    refuseTooManyRights(user.id, held.size)
    this.state.set(user.id, { user, rights: held })
    return user
  }

  find(id: string): User | undefined {
    return this.state.get(id)?.user
  }

  /** `doing` begins the message of `USER_NOT_FOUND`. */
  get(id: string, doing = 'getting user'): User {
    return this.#entry(id, doing).user
  }

  all(): User[] {
    return [...this.state.values()].map(({ user }) => user)
  }

  /** Throws `USER_NOT_FOUND`, `CONCURRENT_USER_UPDATE_DETECTED`, `MAX_USER_ANNOTATIONS_SIZE_EXCEEDED`. */
  update(
    id: string,
    changes: { primaryParty?: string; isDeactivated?: boolean },
    metadataChange: MetadataChange = { annotations: {}, expectedVersion: undefined },
  ): User {
    const entry = this.#entry(id, 'updating user', 'management')
    const resources = { resources: [['USER', id]] } satisfies { resources: [string, string][] }
    const metadata = updatedMetadata(entry.user.metadata, metadataChange, {
      concurrent: () =>
        concurrentUserUpdate(
          'management',
          `Update operation for user '${id}' failed due to a concurrent update to the same user`,
          resources,
        ),
      tooLarge: () =>
        userAnnotationsTooLarge('management', `Maximum annotations size for user '${id}' has been exceeded`, resources),
    })
    entry.user = { ...entry.user, ...changes, metadata }
    return entry.user
  }

  /** Throws `USER_NOT_FOUND`. */
  moveTo(identityProviderId: string, id: string): void {
    const entry = this.#entry(id, 'updating user', 'management')
    entry.user = { ...entry.user, identityProviderId }
  }

  delete(id: string): void {
    this.#entry(id, 'deleting user', 'management')
    this.state.delete(id)
  }

  rights(id: string): Right[] {
    return [...this.#entry(id, 'listing user rights').rights.values()]
  }

  /** Returns the new rights. Throws `USER_NOT_FOUND` and `TOO_MANY_USER_RIGHTS`. */
  grant(id: string, rights: readonly Right[]): Right[] {
    const { rights: held } = this.#entry(id, 'granting rights', 'management')
    const given = new Map(rights.map((right) => [keyOf(right), right]))
    const fresh = [...given].filter(([key]) => !held.has(key))
    refuseTooManyRights(id, held.size + fresh.length)
    for (const [key, right] of fresh) held.set(key, right)
    return fresh.map(([, right]) => right)
  }

  /** Returns the revoked rights. Throws `USER_NOT_FOUND`. */
  revoke(id: string, rights: readonly Right[]): Right[] {
    const { rights: held } = this.#entry(id, 'revoking rights', 'management')
    return rights.filter((right) => held.delete(keyOf(right)))
  }

  #entry(id: string, doing: string, origin: ErrorOrigin = 'reading') {
    const found = this.state.get(id)
    if (found) return found
    throw userNotFound(origin, `${doing} failed for unknown user "${id}"`, { resources: [['USER', id]] })
  }
}

function refuseTooManyRights(id: string, count: number): void {
  if (count <= mostRights) return
  throw tooManyUserRights('management', `Maximum number of user rights (${mostRights}) exceeded for user "${id}"`, {
    resources: [['USER', id]],
  })
}
