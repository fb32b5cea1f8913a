import { variableIn } from '../../../lib/environment.js'
import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'
import { type Clock, claimsIn } from './held-token.js'

/** Throws `CredentialError`. */
export function fixedToken(text: string, origin: string, clock: Clock): CredentialSource {
  const token = tokenIn(text, { origin })
  const { exp } = claimsIn(token) ?? {}
  // The monotonic clock is never set back.
  const endsAt = exp === undefined ? undefined : clock.elapsed() + exp * 1000 - clock.wall()
  return {
    origin,
    token: async () => {
      if (endsAt === undefined || clock.elapsed() < endsAt) return token
      throw new CredentialError(`${origin}: it has expired. Use a file, a command or OAuth2 to renew it.`)
    },
  }
}

/** Throws `CredentialError`. */
export function environmentToken(name: string, environment: NodeJS.ProcessEnv, clock: Clock): CredentialSource {
  const origin = `token from the environment variable ${name}`
  const text = variableIn(environment, name)
  if (text === undefined) throw new CredentialError(`${origin}: it is not set`)
  return fixedToken(text, origin, clock)
}
