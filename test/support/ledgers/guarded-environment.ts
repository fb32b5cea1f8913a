import type { KeyObject } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import type { Test } from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import type { WireAnswer } from '../servers/wire.js'
import { objectIn, simulatorEnvironment } from './simulator-environment.js'

const secret = 'a secret of thirty-two bytes and more'
export const audience = (participant: string) => `https://daml.com/jwt/aud/participant/${participant}`
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

export type Key = Uint8Array | KeyObject
export const hmacKey = new TextEncoder().encode(secret)

export const sign = (claims: object, key: Key = hmacKey, alg = 'HS256'): Promise<string> =>
  new SignJWT({ ...claims } as JWTPayload).setProtectedHeader({ alg }).sign(key) // tests also sign claims of wrong types

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const adminClaims = () => ({ sub: 'participant_admin', scope: 'daml_ledger_api', exp: secondsFromNow(200) })

/** `sealed` signs the claims. */
export async function guarded(t: Test, authorization = `hs256:${secret}`, sealed = sign) {
  const admin = bearer(await sealed(adminClaims()))
  const environment = await simulatorEnvironment(t, { authorization }, admin)
  const { wire, participant } = environment
  const createUser = async (id: string, rights: JsonObject[], isDeactivated = false): Promise<void> => {
    const kinds = rights.map((kind) => ({ kind }))
    const answer = await wire.post('/v2/users', { user: { id, isDeactivated }, rights: kinds }, admin)
    if (answer.status !== 200) throw new Error(`no user ${id}: ${answer.text}`)
  }
  const claims = (sub: string) => ({ sub, aud: audience(participant), exp: secondsFromNow(200) })
  const as = async (sub: string) => bearer(await sealed(claims(sub)))
  return { environment, admin, createUser, claims, as }
}

export const right = (kind: string, party?: string): JsonObject => ({
  [kind]: { value: party === undefined ? {} : { party } },
})

export const seen = (answer: WireAnswer): number | string => {
  if (answer.contentType !== 'application/json') return `${answer.status} text`
  const code = objectIn(answer)['code']
  return code === undefined || code === 'NA' ? answer.status : `${answer.status} ${String(code)}`
}
