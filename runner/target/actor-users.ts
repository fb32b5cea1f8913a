import type { ReasonOf } from '../../record/types/reason.js'

export interface ActorUsers {
  byActor: ReadonlyMap<string, ActorUser>
  /** Creates parties and users, or why no user can. */
  provisioner: { user: string } | NoProvisioner
  defaultUser: string
  /** The run can sign invalid tokens, or why not. */
  canForge: true | ReasonOf<'no-authorization' | 'no-signing-key'>
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

export type NoProvisioner = ReasonOf<'nothing-permitted' | 'creation-unreachable' | 'no-administrator'>

export const userPrefix = (run: string): string => `conformance-${run}-`

export const provisionerOf = ({ provisioner, defaultUser }: ActorUsers): string =>
  'user' in provisioner ? provisioner.user : defaultUser
