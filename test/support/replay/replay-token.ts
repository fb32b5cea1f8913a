/** Tokens of recordings. Built from parts, because libraries refuse to sign most of them. */
import { createHmac } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../../lib/json/json.js'
import type { Variables } from './replay-variables.js'

/**
 * A token, or its claims: `{now}` is the time in that many seconds, `{literal}` a value as it is, and null leaves a claim
 * out. `expIn`: seconds from now.
 */
export type TokenRecipe =
  | string
  | {
      claims?: JsonObject
      /** Replaces the claims. */
      payload?: JsonValue
      /** A string is used as it is. */
      header?: JsonValue
      alg?: string
      secret?: string
      mac?: 'sha384' | 'sha512'
      shape?: 'unsigned' | 'two-parts' | 'flipped' | 'cut'
    }

/** Lifetime of new tokens in seconds. */
const lifeSeconds = 240

export function makeToken(recipe: TokenRecipe, usualSecret: string, variables: Variables): string {
  if (typeof recipe === 'string') return recipe
  const { alg = 'HS256', header = { alg, typ: 'JWT' }, shape, mac = 'sha256', secret = usualSecret } = recipe
  const payload =
    recipe.payload === undefined ? claimsOf(recipe.claims ?? {}, variables) : variables.fill(recipe.payload)
  const input = `${encoded(header)}.${encoded(payload)}`
  if (shape === 'two-parts') return input
  if (shape === 'unsigned' || alg === 'none') return `${input}.`
  const signature = createHmac(mac, secret).update(input).digest()
  if (shape === 'flipped') signature[0] = (signature[0] ?? 0) ^ 1
  return `${input}.${(shape === 'cut' ? signature.subarray(0, -1) : signature).toString('base64url')}`
}

const encoded = (part: JsonValue): string =>
  Buffer.from(typeof part === 'string' ? part : printJson(part)).toString('base64url')

function claimsOf(claims: JsonObject, variables: Variables): JsonObject {
  const now = Math.floor(Date.now() / 1000)
  const { expIn = lifeSeconds, ...rest } = claims
  const given = Object.entries({ exp: now + Number(expIn), ...rest }).filter(([, value]) => value !== null)
  return variables.fill(Object.fromEntries(given.map(([name, value]) => [name, timed(value, now)]))) as JsonObject // an object stays one
}

function timed(value: JsonValue, now: number): JsonValue {
  if (Array.isArray(value)) return value.map((item) => timed(item, now))
  if (!isJsonObject(value)) return value
  if (typeof value['now'] === 'number') return now + value['now']
  return 'literal' in value ? (value['literal'] ?? null) : value
}
