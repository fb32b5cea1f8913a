/** The users that a run takes for the actors of a suite; decided before the first change. */
import type { RecordedRights } from '../../record/types/record.js'

export interface ActorUsers {
  byActor: ReadonlyMap<string, ActorUser>
  /** Allocates parties, creates users, grants rights and uploads packages; a string is the reason why no user can. */
  provisioner: { user: string } | string
  /** Sends the requests that need no rights. */
  defaultUser: string
  /** The exchanges that listed the rights of users. */
  rightsExchanges: readonly RecordedRights[]
  /** The run can sign invalid tokens; a string is the reason why not. */
  canForge: true | string
  /** The settings, not the suite, determine audience and scope of tokens. */
  hasOwnAudience: boolean
}

export interface ActorUser {
  user: string
  /** The run creates the user, with exactly the rights of the actor. */
  isCreated: boolean
  /** Rights after the grants of the run, with parties by fixture; undefined: those of the actor. */
  rights?: ReadonlySet<string>
  /** Rights that the run grants over parties that it allocates. */
  grants: readonly string[]
  /** Another actor has the same user. */
  isShared: boolean
}

/** Reasons for no provisioner. `verify` derives them from the record. */
export const noProvisioner = {
  notPermitted: 'the run may not create anything',
  unreachable: 'the settings mark allocate-party and create-user as unreachable',
  noCredential: 'the run has no administrator credential',
} as const

/** Reasons for no forged tokens. */
export const noForging = {
  open: 'the target has no authorization',
  noKey: 'the run has no signing key',
} as const

/** Begins the ids of exactly the users that a run creates. */
export const userPrefix = (run: string): string => `conformance-${run}-`

/** The user that changes state and restores it: the default user if there is no provisioner. */
export const provisionerOf = ({ provisioner, defaultUser }: ActorUsers): string =>
  typeof provisioner === 'string' ? defaultUser : provisioner.user
