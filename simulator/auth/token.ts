import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type JWTPayload, jwtVerify } from 'jose'

/** How tokens are checked. Without one, nobody is asked for a token. */
export type TokenVerifier = (token: string) => Promise<Claims | undefined>

/** What an acceptable token says. `foreign`: it is meant for another participant. */
export interface Claims {
  subject: string
  foreign: boolean
}

/** Tokens may live five minutes at most: the default of the reference participant 3.5.10. */
const maximumLifeSeconds = 300
const audiencePrefix = 'https://daml.com/jwt/aud/participant/'
const ledgerScope = 'daml_ledger_api'

/** An authorization setting that cannot be understood or whose key cannot be read. */
export class AuthorizationSettingError extends Error {
  override readonly name = 'AuthorizationSettingError'
}

/**
 * Reads `none`, `hs256:SECRET`, `rs256:FILE` or `es256:FILE` (a PEM public key or certificate).
 * Undefined stands for no authorization. Throws `AuthorizationSettingError`; the secret never appears in its message.
 */
export async function readAuthorization(setting: string, participantId: string): Promise<TokenVerifier | undefined> {
  if (setting === 'none') return undefined
  const [kind, ...rest] = setting.split(':')
  const material = rest.join(':')
  if (material === '' || !(kind === 'hs256' || kind === 'rs256' || kind === 'es256')) {
    throw new AuthorizationSettingError(
      'authorization: expected none, hs256:SECRET, rs256:FILE or es256:FILE (FILE holds a PEM public key or certificate)',
    )
  }
  const key = kind === 'hs256' ? new TextEncoder().encode(material) : await readKey(material)
  return verifier(key, kind.toUpperCase(), participantId)
}

async function readKey(file: string): Promise<KeyObject> {
  try {
    return createPublicKey(await readFile(file))
  } catch (error) {
    throw new AuthorizationSettingError(`authorization: no public key could be read from ${file}: ${String(error)}`)
  }
}

const verifier =
  (key: Uint8Array | KeyObject, algorithm: string, participantId: string): TokenVerifier =>
  async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [algorithm], requiredClaims: ['sub', 'exp'] })
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
