/** User ids of actors in templates. */
import type { Scope, Variables } from './variables.js'

/** The variable with the user id of the actor. */
export const userVariable = (actor: string): string => `user.${actor}`

function userOf(actor: string, variables: Variables): string | undefined {
  const user = variables.get(userVariable(actor))
  return typeof user === 'string' ? user : undefined
}

/** Defines `${user}` as the user of the actor. */
export function asCaller(actor: string, variables: Variables): Scope {
  const user = userOf(actor, variables)
  // A view avoids copying hundreds of variables for each request.
  return user === undefined ? variables : { get: (name) => (name === 'user' ? user : variables.get(name)) }
}
