/** The users of a target for the actors of a suite. */
import type { RecordedRights } from '../../record/types/record.js'

export interface ActorUsers {
  byActor: ReadonlyMap<string, ActorUser>
  /** Creates parties and users, grants rights and uploads packages; a string is the reason why no user can. */
  provisioner: { user: string } | string
  /** Sends requests that every user may send. */
  defaultUser: string
  /** Answers to the requests for the rights of users. */
  rightsExchanges: readonly RecordedRights[]
  /** Whether the run can make invalid tokens; a string is the reason why not. */
  canForge: true | string
  /** Tokens contain the audience or scope of the settings instead of the usual ones. */
  hasOwnAudience: boolean
}

export interface ActorUser {
  user: string
  /** The run creates the user, with exactly the rights of the actor. */
  isCreated: boolean
  /** Rights after the grants, with parties by fixture name; undefined: those of the actor. */
  rights?: ReadonlySet<string>
  /** Rights that the run grants on the parties that it creates. */
  grants: readonly string[]
  /** Another actor has the same user. */
  isShared: boolean
}

/** Prefix of the ids of all users that a run creates, and of no other users. */
export const userPrefix = (run: string): string => `conformance-${run}-`

/** The user that creates and restores; the default user if the run creates nothing. */
export const provisionerOf = ({ provisioner, defaultUser }: ActorUsers): string =>
  typeof provisioner === 'string' ? defaultUser : provisioner.user
