import type { JsonValue } from '../../lib/json/json.js'
import { parseRight } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { type KnownCaller, type Target, TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { itemsAt } from '../template/pointer.js'
import { describeSigning, describeToken } from './describe-token.js'
import { type Finding, good, stop, warning } from './finding.js'
import { explainRefusedToken } from './refused-token.js'

export interface IdentityCheck {
  target: Pick<Target, 'authorization' | 'callers' | 'administrator'>
  unreachable: ReadonlySet<string>
  /** Milliseconds. */
  skew: number | undefined
  as(user: string): Caller
}

export async function checkIdentities(check: IdentityCheck): Promise<Finding[]> {
  const { authorization, callers, administrator } = check.target
  if (authorization.kind === 'none')
    return [good('credentials', 'open', 'the settings name no token: each request names its user')]
  const findings: Finding[] = []
  for (const [actor, caller] of callers) findings.push(await checkCaller(actor, caller, check))
  if (authorization.kind === 'minted') {
    const what = `the run signs its tokens (${describeSigning(authorization)}); ${administrator} creates a user for each actor`
    findings.push(await checkRights(administrator, what, {}, check))
  }
  return findings
}

async function checkCaller(
  actor: string,
  { user, source, rights }: KnownCaller,
  check: IdentityCheck,
): Promise<Finding> {
  const facts = { actor, user }
  if (!source) return checkRights(user, `${actor} is the user ${user}`, facts, check, rights)
  const token = await source.token().catch((error: unknown) => {
    if (error instanceof CredentialError) return error
    throw error
  })
  if (token instanceof CredentialError) return missingToken(actor, token)
  const { words, claims } = describeToken(token, (Date.now() + (check.skew ?? 0)) / 1000)
  const what = `${actor} is the user ${user}, by the ${source.place ?? source.origin} (${words})`
  return checkRights(user, what, { ...facts, origin: source.origin, ...(claims && { claims }) }, check, rights)
}

export const missingToken = (actor: string, { inFull }: CredentialError): Finding =>
  stop('credentials', 'token-unavailable', `${actor} has no token: ${inFull}`, {
    advice: `Correct the credential, or remove ${actor} from the callers.`,
    facts: { actor },
  })

async function checkRights(
  user: string,
  what: string,
  facts: object,
  { as, target, skew, unreachable }: IdentityCheck,
  declared?: readonly string[],
): Promise<Finding> {
  if (declared)
    return good('credentials', 'caller', `${what}; its rights, by the settings: ${listed(declared)}`, {
      facts: { ...facts, rights: declared },
    })
  if (unreachable.has('list-user-rights'))
    return good('credentials', 'caller', `${what}; its rights are unknown`, { facts: { ...facts } })
  try {
    const rights = rightsIn(await as(user)('list-user-rights', undefined, { user }))
    return good('credentials', 'caller', `${what}; its rights: ${listed(rights)}`, { facts: { ...facts, rights } })
  } catch (error) {
    if (error instanceof TokenRejected) return explainRefusedToken(error, target, skew)
    if (!(error instanceof TargetError)) throw error
    const isUnknown = error instanceof TargetRejection && error.status === 403
    const advice = isUnknown
      ? 'Every user may list its own rights: does the user exist, and is it active?'
      : 'State the rights of this user in a target file (rights).'
    return warning('credentials', 'rights-untold', `${what}; its rights are unknown: ${error.message}`, {
      advice,
      facts: { ...facts },
    })
  }
}

const mostShown = 12

function listed(rights: readonly string[]): string {
  if (rights.length === 0) return 'none'
  const more = rights.length > mostShown ? `, and ${rights.length - mostShown} more` : ''
  return rights.slice(0, mostShown).join(', ') + more
}

const rightsIn = (answer: JsonValue): string[] =>
  itemsAt(answer, '/rights').flatMap((right) => {
    const { kind, party } = parseRight(right) ?? {}
    return kind === undefined ? [] : [party === undefined ? kind : `${kind} ${party}`]
  })
