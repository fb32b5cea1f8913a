import type { RecordedRights } from '../../record/types/record.js'

export interface ActorUsers {
  byActor: ReadonlyMap<string, ActorUser>
  /** Creates parties and users; a string is the reason why no user can. */
  provisioner: { user: string } | string
  defaultUser: string
  rightsExchanges: readonly RecordedRights[]
  /** The run can sign invalid tokens; a string is the reason why not. */
  canForge: true | string
  /** The settings determine audience or scope of tokens. */
  hasOwnAudience: boolean
}

export interface ActorUser {
  user: string
  /** With exactly the rights of the actor. */
  isCreated: boolean
  /** Parties by fixture; undefined: those of the actor. */
  rights?: ReadonlySet<string>
  /** Over parties that the run allocates. */
  grants: readonly string[]
  isShared: boolean
}

/** Users as a record shows them. */
export interface KnownUsers {
  byActor: ReadonlyMap<string, Pick<ActorUser, 'user' | 'rights'>>
}

/** Reasons; `verify` derives them from the record. */
export const noProvisioner = {
  notPermitted: 'the run may not create anything',
  unreachable: 'the settings mark allocate-party and create-user as unreachable',
  noCredential: 'the run has no administrator credential',
} as const

export const noForging = {
  open: 'the target has no authorization',
  noKey: 'the run has no signing key',
} as const

export const userPrefix = (run: string): string => `conformance-${run}-`

export const provisionerOf = ({ provisioner, defaultUser }: ActorUsers): string =>
  typeof provisioner === 'string' ? defaultUser : provisioner.user
