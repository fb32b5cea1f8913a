import { CredentialError } from './credentials/credential-source.js'
import { claimsIn } from './credentials/held-token.js'
import type { Settings } from './read-settings.js'
import type { KnownCaller, Target } from './target.js'

/** Tokens name users that the settings omit. Rejects with `CredentialError`. */
export async function openTarget(
  { authorization, callers, administrator, connection }: Omit<Settings, 'access' | 'run'>,
  url: string,
): Promise<Target> {
  const known = new Map<string, KnownCaller>()
  for (const [actor, caller] of callers) {
    const user = caller.user ?? (await userIn(actor, caller))
    known.set(actor, { ...caller, user })
  }
  return { url, authorization, callers: known, administrator, connection }
}

async function userIn(actor: string, { source }: Omit<KnownCaller, 'user'>): Promise<string> {
  if (!source) throw new CredentialError(`callers: ${actor} has neither a user nor a token`)
  const { sub } = claimsIn(await source.token()) ?? {}
  if (sub !== undefined && sub !== '') return sub
  throw new CredentialError(`callers: the token of ${actor} names no user. Set its user.`)
}
