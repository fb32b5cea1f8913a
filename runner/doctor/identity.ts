/** Who the callers are, as their tokens say, and what they may do, as the target says. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../provision/caller.js'
import { CredentialError, type CredentialSource } from '../target/credentials/credential-source.js'
import { type Target, TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import { describeSigning, describeToken } from './describe-token.js'
import { type Finding, good, stop, warning } from './finding.js'
import { explainRefusedToken } from './refused-token.js'

export interface IdentityCheck {
  target: Pick<Target, 'authorization' | 'callers' | 'administrator'>
  unreachable: ReadonlySet<string>
  /** Milliseconds by which the clock of the target is ahead. */
  skew: number | undefined
  as(user: string): Caller
}

/** A finding for each caller, or for the key. Each user is asked what he may do himself. */
export async function checkIdentities(check: IdentityCheck): Promise<Finding[]> {
  const { authorization, callers, administrator } = check.target
  if (authorization.kind === 'none')
    return [good('credentials', 'open', 'nobody is asked for a token; users are whoever a request names')]
  const findings: Finding[] = []
  for (const [actor, { user, source, rights }] of callers) {
    findings.push(await callerFinding({ actor, user, source, said: rights }, check))
  }
  if (authorization.kind === 'minted') {
    const told = `the run signs its tokens itself (${describeSigning(authorization)}) and makes a user for each actor`
    findings.push(await withRights(administrator, `${told}; ${administrator} makes them`, {}, check))
  }
  return findings
}

interface KnownUser {
  actor: string
  user: string
  source: CredentialSource | undefined
  /** What the settings say that he may do. */
  said: readonly string[] | undefined
}

async function callerFinding({ actor, user, source, said }: KnownUser, check: IdentityCheck): Promise<Finding> {
  const facts = { actor, user }
  if (!source) return withRights(user, `${actor} is the user ${user}`, facts, check, said)
  const token = await source.token().catch((error: unknown) => {
    if (error instanceof CredentialError) return error
    throw error
  })
  if (token instanceof CredentialError) return unavailable(actor, token)
  const { words, claims } = describeToken(token, (Date.now() + (check.skew ?? 0)) / 1000)
  const what = `${actor} is the user ${user}, by the ${source.place ?? source.origin} (${words})`
  return withRights(user, what, { ...facts, origin: source.origin, ...(claims && { claims }) }, check, said)
}

/** A credential that is named and cannot be had. */
export const unavailable = (actor: string, { inFull }: CredentialError): Finding =>
  stop('credentials', 'token-unavailable', `there is no token for ${actor}: ${inFull}`, {
    advice: `put that right, or leave ${actor} out of the callers`,
    facts: { actor },
  })

async function withRights(
  user: string,
  what: string,
  facts: object,
  { as, target, skew, unreachable }: IdentityCheck,
  said?: readonly string[],
): Promise<Finding> {
  if (said)
    return good('credentials', 'caller', `${what}; the settings say: ${listed(said)}`, {
      facts: { ...facts, rights: said },
    })
  if (unreachable.has('list-user-rights'))
    return good('credentials', 'caller', `${what}; what that user may do cannot be asked`, { facts: { ...facts } })
  try {
    const rights = rightsIn(await as(user)('list-user-rights', undefined, { user }))
    return good('credentials', 'caller', `${what}; may do: ${listed(rights)}`, { facts: { ...facts, rights } })
  } catch (error) {
    if (error instanceof TokenRejected) return explainRefusedToken(error, target, skew)
    if (!(error instanceof TargetError)) throw error
    const isUnknown = error instanceof TargetRejection && error.status === 403
    const advice = isUnknown
      ? 'everybody may ask that of himself: is the user there, and not deactivated?'
      : 'say what that user may do by rights, in a file'
    return warning('credentials', 'rights-untold', `${what}; what that user may do is not told: ${error.message}`, {
      advice,
      facts: { ...facts },
    })
  }
}

const mostShown = 12

function listed(rights: readonly string[]): string {
  if (rights.length === 0) return 'nothing'
  const more = rights.length > mostShown ? `, and ${rights.length - mostShown} more` : ''
  return rights.slice(0, mostShown).join(', ') + more
}

function rightsIn(answer: JsonValue): string[] {
  const found = valueAt(answer, '/rights')
  return (Array.isArray(found) ? found : []).flatMap((right) => {
    const kinds = valueAt(right, '/kind')
    const [[kind, content] = []] = typeof kinds === 'object' && kinds !== null ? Object.entries(kinds) : []
    const party = valueAt(content ?? null, '/value/party')
    return kind === undefined ? [] : [typeof party === 'string' ? `${kind} ${party}` : kind]
  })
}
