/** The tokens that recorded conversations carry, made anew: none lives longer than five minutes. */
import { SignJWT, UnsecuredJWT } from 'jose'
import type { JsonObject } from '../../../lib/json/json.js'
import type { TokenRecipe } from './replay-recording.js'
import type { Variables } from './replay-variables.js'

const lifeSeconds = 240

export async function makeToken(recipe: TokenRecipe, secret: string, variables: Variables): Promise<string> {
  if (typeof recipe === 'string') return recipe
  const claims = claimsOf(recipe.claims, variables)
  if (recipe.alg === 'none') return new UnsecuredJWT(claims).encode()
  const key = new TextEncoder().encode(recipe.secret ?? secret)
  return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
}

function claimsOf(claims: JsonObject, variables: Variables): JsonObject {
  const now = Math.floor(Date.now() / 1000)
  const { expIn = lifeSeconds, ...rest } = claims
  const filled = variables.fill({ exp: now + Number(expIn), ...rest }) as JsonObject // an object stays one
  // A null stands for a token that never expires.
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== null))
}
