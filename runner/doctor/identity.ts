import type { JWTPayload } from 'jose'
import type { JsonValue } from '../../lib/json/json.js'
import { cutText } from '../../lib/redaction/redaction.js'
import { parseRight } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { claimsIn } from '../target/credentials/held-token.js'
import {
  type Authorization,
  type KnownCaller,
  type Target,
  TargetError,
  TargetRejection,
  TokenRejected,
} from '../target/target.js'
import { itemsAt } from '../template/pointer.js'
import { type Finding, good, stop, warning } from './finding.js'
import { formatDuration } from './first-response.js'

export interface IdentityCheck {
  target: Target
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
  stop('credentials', 'token-unavailable', `${actor} has no usable token: ${inFull}`, {
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

interface DescribedToken {
  words: string
  claims?: Readonly<Record<string, unknown>>
  /** Seconds since its expiry; negative while valid. */
  endedFor?: number
  /** Seconds until valid. */
  beginsIn?: number
}

const longest = 300

/** `now`: seconds since 1970 by the target's clock. */
function describeToken(token: string, now: number): DescribedToken {
  const payload = claimsIn(token)
  if (!payload) return { words: 'not a JWT, so its claims are unknown' }
  const { sub, aud, iss, scope, exp, nbf, iat } = payload
  const claims = Object.fromEntries(
    Object.entries({ sub, aud, iss, scope, exp, nbf, iat }).filter(([, value]) => value !== undefined),
  )
  const words = [
    ...(['sub', 'aud', 'iss', 'scope'] as const).flatMap((name) => claimInWords(name, payload)),
    expiryInWords(exp, now),
  ]
  return {
    words: words.join(', '),
    claims,
    ...(typeof exp === 'number' && { endedFor: now - exp }),
    ...(typeof nbf === 'number' && { beginsIn: nbf - now }),
  }
}

function claimInWords(name: keyof JWTPayload, payload: JWTPayload): string[] {
  const value = payload[name]
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [`${name} ${cutText(text, longest)}`]
}

function expiryInWords(exp: unknown, now: number): string {
  if (typeof exp !== 'number') return 'no expiry'
  return exp > now
    ? `valid for ${formatDuration(Math.round(exp - now))}`
    : `expired ${formatDuration(Math.round(now - exp))} ago`
}

function describeSigning({ key }: Extract<Authorization, { kind: 'minted' }>): string {
  const { issuer, audience, scope, keyId, life } = key.form
  const words = [
    ...(issuer === undefined ? [] : [`iss ${issuer}`]),
    ...(audience === undefined ? [] : [`aud ${audience}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(audience === undefined && scope === undefined ? ['for this participant'] : []),
    ...(keyId === undefined ? [] : [`kid ${keyId}`]),
  ]
  return `${key.kind}, ${words.join(', ')}, valid for ${formatDuration(life)}`
}

/** `skew`: milliseconds. */
export async function explainRefusedToken(error: TokenRejected, target: Target, skew = 0): Promise<Finding> {
  const { authorization, callers } = target
  if (!error.hadToken) {
    const advice = 'Add --token administrator=env:NAME, or a key that signs tokens: --authorization hs256-env:NAME.'
    return stop('credentials', 'token-wanted', `the target requires tokens: ${error.message}`, { advice })
  }
  const known = [...callers.values()].find(({ user, source }) => user === error.user && source)
  if (known?.source) {
    const token = await known.source.token().catch((problem: unknown) => {
      if (problem instanceof CredentialError) return ''
      throw problem
    })
    const described = describeToken(token, (Date.now() + skew) / 1000)
    const source = known.source.place ?? known.source.origin
    const what = `the target rejects the ${source} (${described.words}): ${error.message}`
    return stop('credentials', 'token-refused', what, {
      advice: givenAdvice(described),
      ...(described.claims && { facts: { user: error.user, claims: described.claims } }),
    })
  }
  const what = `the target rejects the token that the run signed for ${error.user}`
  const form = authorization.kind === 'minted' ? ` (${describeSigning(authorization)})` : ''
  return stop('credentials', 'signed-token-refused', `${what}${form}: ${error.message}`, {
    advice: signedAdvice(target, skew),
  })
}

function givenAdvice({ endedFor, beginsIn = 0 }: DescribedToken): string {
  if (endedFor !== undefined && endedFor >= 0)
    return `By the target's clock it expired ${formatDuration(Math.round(endedFor))} ago. Use a new token.`
  if (beginsIn > 0) return `By the target's clock it becomes valid in ${formatDuration(Math.round(beginsIn))}.`
  const isLong = endedFor === undefined || -endedFor > longestLife
  const long = isLong ? ` Canton 3.5 accepts tokens of at most ${longestLife} s.` : ''
  return `Check that it is for this participant (aud, scope) and from a trusted issuer (iss).${long}`
}

function signedAdvice({ authorization }: Target, skew: number): string {
  const life = authorization.kind === 'minted' ? authorization.key.form.life : 0
  if (skew / 1000 >= life)
    return `The target's clock is ${formatDuration(Math.round(skew / 1000))} ahead, so the tokens are expired on arrival. Correct the wrong clock.`
  if (life - skew / 1000 > longestLife)
    return `By the target's clock the tokens are valid for ${formatDuration(Math.round(life - skew / 1000))}, and Canton 3.5 accepts at most ${longestLife} s. Correct the wrong clock, or shorten life.`
  return 'Check that the target trusts the key, and expects this audience, scope and issuer (authorization: { key, audience, scope, issuer, key-id }).'
}

/** Seconds (seen on 3.5.10). */
const longestLife = 300
