import { userFor } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import type { Variables } from '../template/variables.js'
import type { Reader } from './update-pages.js'

interface Readable {
  actors: readonly ResolvedActor[]
  fixtures: readonly ResolvedFixture[]
  variables: Variables
  actorUsers: ActorUsers
}

/** Users that may act as a party of the run, each with all its parties. */
export const readersOf = (readable: Readable, as: (user: string) => Caller): Reader[] =>
  [...readableParties(readable)].map(([user, parties]) => ({ user, call: as(user), parties }))

/** By user. */
function readableParties({ actors, fixtures, variables, actorUsers }: Readable): Map<string, string[]> {
  const readable = new Map<string, string[]>()
  for (const { name, party } of fixtures) {
    const known = variables.get(name)
    const user = userFor(name, actors, actorUsers)
    if (!party || typeof known !== 'string' || user === undefined) continue
    readable.set(user, [...(readable.get(user) ?? []), known])
  }
  return readable
}
