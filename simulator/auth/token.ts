import { type JWTPayload, jwtVerify } from 'jose'
import { type KeySource, readKeySource } from './key-source.js'

/** How the participant of that id checks tokens. Without it, nobody is asked for a token. */
export type TokenVerifier = (token: string, participantId: string) => Promise<Claims | undefined>

/** What an acceptable token says. `foreign`: it is meant for another participant. */
export interface Claims {
  subject: string
  foreign: boolean
}

/** Tokens may live five minutes at most: the default of the reference participant 3.5.10. */
const maximumLifeSeconds = 300
const audiencePrefix = 'https://daml.com/jwt/aud/participant/'
const ledgerScope = 'daml_ledger_api'

/** Where the keys come from: see `readKeySource`. Rejects with `AuthorizationSettingError`. */
export async function readAuthorization(setting: string): Promise<TokenVerifier> {
  return verifier(await readKeySource(setting))
}

const verifier =
  ({ key, algorithms }: KeySource): TokenVerifier =>
  async (token, participantId) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [...algorithms],
        requiredClaims: ['sub', 'exp'],
      })
      return accept(payload, participantId)
    } catch {
      // Whatever is wrong with a token, its bearer only learns that it was not accepted.
      return undefined
    }
  }

function accept(payload: JWTPayload, participantId: string): Claims | undefined {
  const { sub, exp, aud, scope } = payload
  if (typeof sub !== 'string' || sub === '' || exp === undefined || exp > Date.now() / 1000 + maximumLifeSeconds)
    return undefined
  const audiences = aud === undefined ? [] : [aud].flat()
  if (audiences.includes(audiencePrefix + participantId)) return { subject: sub, foreign: false }
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  if (scopes.includes(ledgerScope) && (audiences.length === 0 || audiences.includes(participantId))) {
    return { subject: sub, foreign: false }
  }
  if (audiences.some((audience) => audience.startsWith(audiencePrefix))) return { subject: sub, foreign: true }
  return undefined
}
