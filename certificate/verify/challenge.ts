/** The text by which a verifier knows that a run began after it was drawn: the seed of the run follows from it. */
import { createHash } from 'node:crypto'
import type { RunHeader } from '../../record/types/record.js'
import { altered, type BundleFinding, stated } from '../finding.js'

/** So that no answer recorded before the text was known bears the markers of the run. */
export const seedOf = (challenge: string): string =>
  createHash('sha256').update(`participant-conformance challenge ${challenge}`).digest('hex').slice(0, 32)

/** `expected`: the text that the verifier has given to the signer. */
export function checkChallenge({ challenge, seed }: RunHeader, expected: string | undefined): BundleFinding[] {
  if (challenge !== undefined && seed !== seedOf(challenge))
    return [altered('the header states a challenge, and the seed of the run does not follow from it')]
  if (expected === undefined)
    return challenge === undefined ? [] : [stated(`the seed follows from the challenge ${JSON.stringify(challenge)}`)]
  if (challenge === expected) return []
  return [
    altered(
      challenge === undefined
        ? 'the run was made without a challenge'
        : `the run was made for another challenge: ${JSON.stringify(challenge)}`,
    ),
  ]
}
