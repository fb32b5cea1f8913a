import { userAlreadyExists, userNotFound } from '../base/errors.js'

export type PartyRightKind = 'CanActAs' | 'CanReadAs' | 'CanExecuteAs'
export type GeneralRightKind =
  | 'ParticipantAdmin'
  | 'IdentityProviderAdmin'
  | 'CanReadAsAnyParty'
  | 'CanExecuteAsAnyParty'

export type Right = { kind: GeneralRightKind } | { kind: PartyRightKind; party: string }

export interface User {
  id: string
  primaryParty: string
  isDeactivated: boolean
  annotations: Record<string, string>
}

const keyOf = (right: Right): string => ('party' in right ? `${right.kind} ${right.party}` : right.kind)

export type UsersState = Map<string, { user: User; rights: Map<string, Right> }>

export class Users {
  readonly state: UsersState

  constructor(state: UsersState) {
    this.state = state
  }

  static first(): Users {
    const users = new Users(new Map())
    const admin = { id: 'participant_admin', primaryParty: '', isDeactivated: false, annotations: {} }
    users.create(admin, [{ kind: 'ParticipantAdmin' }])
    return users
  }

  create(user: User, rights: readonly Right[]): User {
    if (this.state.has(user.id)) {
      throw userAlreadyExists('management', `creating user failed, as user "${user.id}" already exists`, {
        resources: [['USER', user.id]],
      })
    }
    this.state.set(user.id, { user, rights: new Map(rights.map((right) => [keyOf(right), right])) })
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

  /** Throws `USER_NOT_FOUND`. */
  update(id: string, changes: Partial<Omit<User, 'id'>>): User {
    const entry = this.#entry(id, 'updating user')
    entry.user = { ...entry.user, ...changes }
    return entry.user
  }

  delete(id: string): void {
    this.#entry(id, 'deleting user')
    this.state.delete(id)
  }

  rights(id: string): Right[] {
    return [...this.#entry(id, 'listing user rights').rights.values()]
  }

  /** Returns the new rights. Throws `USER_NOT_FOUND`. */
  grant(id: string, rights: readonly Right[]): Right[] {
    const { rights: held } = this.#entry(id, 'granting rights')
    const fresh = rights.filter((right) => !held.has(keyOf(right)))
    for (const right of fresh) held.set(keyOf(right), right)
    return fresh
  }

  /** Returns the revoked rights. Throws `USER_NOT_FOUND`. */
  revoke(id: string, rights: readonly Right[]): Right[] {
    const { rights: held } = this.#entry(id, 'revoking rights')
    return rights.filter((right) => held.delete(keyOf(right)))
  }

  #entry(id: string, doing: string) {
    const found = this.state.get(id)
    if (found) return found
    throw userNotFound('reading', `${doing} failed for unknown user "${id}"`, { resources: [['USER', id]] })
  }
}
