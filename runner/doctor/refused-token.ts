/** Why a target may have refused whom it refused: what it answered is certain, and the claims and clocks explain it. */
import { CredentialError } from '../target/credentials/credential-source.js'
import type { Target, TokenRejected } from '../target/target.js'
import { formatDuration } from './clock.js'
import { describeSigning, describeToken, type TokenWords } from './describe-token.js'
import { type Finding, stop } from './finding.js'

/** `skew`: milliseconds by which the clock of the target is ahead. */
export async function explainRefusedToken(
  error: TokenRejected,
  target: Pick<Target, 'authorization' | 'callers'>,
  skew = 0,
): Promise<Finding> {
  const { authorization, callers } = target
  if (!error.hadToken) {
    const advice = 'give one: --token administrator=env:NAME, or a key that signs them, --authorization hs256-env:NAME'
    return stop('credentials', 'token-wanted', `the target asks for tokens, and none was sent: ${error.message}`, {
      advice,
    })
  }
  const known = [...callers.values()].find(({ user, source }) => user === error.user && source)
  if (known?.source) {
    const token = await known.source.token().catch((problem: unknown) => {
      if (problem instanceof CredentialError) return ''
      throw problem
    })
    const told = describeToken(token, (Date.now() + skew) / 1000)
    const advice = givenAdvice(told)
    const what = `the target refuses the ${known.source.place ?? known.source.origin} (${told.words}): ${error.message}`
    return stop('credentials', 'token-refused', what, {
      advice,
      ...(told.claims && { facts: { user: error.user, claims: told.claims } }),
    })
  }
  const what = `the target refuses the token that the run has signed for ${error.user}`
  const form = authorization.kind === 'minted' ? ` (${describeSigning(authorization)})` : ''
  return stop('credentials', 'signed-token-refused', `${what}${form}: ${error.message}`, {
    advice: signedAdvice(target, skew),
  })
}

function givenAdvice({ endedFor, beginsIn = 0 }: TokenWords): string {
  if (endedFor !== undefined && endedFor >= 0)
    return `by the clock of the target it ended ${formatDuration(Math.round(endedFor))} ago: give a fresh one`
  if (beginsIn > 0) return `by the clock of the target it begins in ${formatDuration(Math.round(beginsIn))}`
  const isLong = endedFor === undefined || -endedFor > longestLife
  const long = isLong ? `; participants of the reference's kind take ${longestLife} s at most` : ''
  return `is it for this participant (aud, scope), and signed by whom it trusts (iss)?${long}`
}

function signedAdvice({ authorization }: Pick<Target, 'authorization'>, skew: number): string {
  const life = authorization.kind === 'minted' ? authorization.key.form.life : 0
  if (skew / 1000 >= life)
    return `the clock of the target is ${formatDuration(Math.round(skew / 1000))} ahead, so that such tokens have ended when they arrive: put the wrong clock right`
  if (life - skew / 1000 > longestLife)
    return `by the clock of the target they live ${formatDuration(Math.round(life - skew / 1000))}, and participants of the reference's kind take ${longestLife} s at most: put the wrong clock right, or let them live shorter (life)`
  return 'is it the key that the target trusts, and are audience, scope and issuer as it wants them (authorization: { key, audience, scope, issuer, key-id })?'
}

/** Seconds (seen on 3.5.10). */
const longestLife = 300
