import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'
import { type Clock, claimsIn } from './held-token.js'

/** A token that stands somewhere and stays what it is: nobody renews it. Throws `CredentialError` for what is no token. */
export function fixedToken(text: string, origin: string, clock: Clock): CredentialSource {
  const token = tokenIn(text, { origin })
  const { exp } = claimsIn(token) ?? {}
  // From here on by the clock that cannot be set back.
  const endsAt = exp === undefined ? undefined : clock.elapsed() + exp * 1000 - clock.wall()
  return {
    origin,
    token: async () => {
      if (endsAt === undefined || clock.elapsed() < endsAt) return token
      throw new CredentialError(`${origin}: it has ended; a file, a command or OAuth2 would be asked for the next one`)
    },
  }
}

/** The token of an environment variable. Throws `CredentialError` where there is none. */
export function environmentToken(name: string, environment: NodeJS.ProcessEnv, clock: Clock): CredentialSource {
  const origin = `token of the environment variable ${name}`
  const text = environment[name]
  if (text === undefined) throw new CredentialError(`${origin}: it is not set`)
  return fixedToken(text, origin, clock)
}
