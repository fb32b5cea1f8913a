import { CredentialError } from '../target/credentials/credential-source.js'
import type { Target, TokenRejected } from '../target/target.js'
import { formatDuration } from './clock.js'
import { type DescribedToken, describeSigning, describeToken } from './describe-token.js'
import { type Finding, stop } from './finding.js'

/** `skew`: milliseconds. */
export async function explainRefusedToken(
  error: TokenRejected,
  target: Pick<Target, 'authorization' | 'callers'>,
  skew = 0,
): Promise<Finding> {
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

function signedAdvice({ authorization }: Pick<Target, 'authorization'>, skew: number): string {
  const life = authorization.kind === 'minted' ? authorization.key.form.life : 0
  if (skew / 1000 >= life)
    return `The target's clock is ${formatDuration(Math.round(skew / 1000))} ahead, so the tokens are expired on arrival. Correct the wrong clock.`
  if (life - skew / 1000 > longestLife)
    return `By the target's clock the tokens are valid for ${formatDuration(Math.round(life - skew / 1000))}, and Canton 3.5 accepts at most ${longestLife} s. Correct the wrong clock, or shorten life.`
  return 'Check that the target trusts the key, and expects this audience, scope and issuer (authorization: { key, audience, scope, issuer, key-id }).'
}

/** Seconds (seen on 3.5.10). */
const longestLife = 300
