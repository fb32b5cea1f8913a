import type { Scope, Variables } from './variables.js'

/** The variable that holds the user id by which an actor is known to the target. */
export const userVariable = (actor: string): string => `user.${actor}`

/** The user id of an actor; undefined where nobody has said it. */
function userOf(actor: string, variables: Variables): string | undefined {
  const user = variables.get(userVariable(actor))
  return typeof user === 'string' ? user : undefined
}

/** The variables as a step of that actor has them: `${user}` is the one who calls. */
export function asCaller(actor: string, variables: Variables): Scope {
  const user = userOf(actor, variables)
  // Seen through, not copied: there are hundreds of them, and a row has a dozen requests.
  return user === undefined ? variables : { get: (name) => (name === 'user' ? user : variables.get(name)) }
}
