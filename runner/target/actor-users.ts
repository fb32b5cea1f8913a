/** Who plays the actors of a suite on a target: known before anything is sent on their behalf. */
import type { RecordedRights } from '../../record/types/record.js'

export interface ActorUsers {
  byActor: ReadonlyMap<string, ActorUser>
  /** The user by whom parties and users are made, rights granted and packages uploaded; a text says why there is none. */
  provisioner: { user: string } | string
  /** The user who asks what anybody may ask. */
  defaultUser: string
  /** How the target answered when the rights of users were requested. */
  rightsExchanges: readonly RecordedRights[]
  /** Invalid tokens can be made; a text says why not. */
  canForge: true | string
  /** Tokens name the audience and scope that somebody set, and not those that the suite takes for right. */
  hasOwnAudience: boolean
}

export interface ActorUser {
  user: string
  /** The run makes the user, with the rights of the actor and no others. */
  isCreated: boolean
  /** What the user may do once the grants are made, with parties by their fixtures; undefined: what the actor may. */
  rights?: ReadonlySet<string>
  /** What the run lets the user do with parties that it makes. */
  grants: readonly string[]
  /** Other actors have the same user. */
  isShared: boolean
}

/** Begins the ids of all users that a run makes, and of no others. */
export const userPrefix = (run: string): string => `conformance-${run}-`

/** By whom things are made, and put back; where nothing is made, whoever asks what anybody may ask. */
export const provisionerOf = ({ provisioner, defaultUser }: ActorUsers): string =>
  typeof provisioner === 'string' ? defaultUser : provisioner.user
