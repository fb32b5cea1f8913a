/** The seed follows from a text of the verifier, which proves that the run began after the verifier chose it. */
import { createHash } from 'node:crypto'
import type { RunHeader } from '../../record/types/record.js'
import { altered, type BundleFinding, stated } from '../finding.js'

/** Earlier recorded answers cannot contain the markers of such a run. */
export const seedOf = (challenge: string): string =>
  createHash('sha256').update(`participant-conformance challenge ${challenge}`).digest('hex').slice(0, 32)

export function checkChallenge({ challenge, seed }: RunHeader, expected: string | undefined): BundleFinding[] {
  if (challenge !== undefined && seed !== seedOf(challenge))
    return [altered('the seed of the run does not follow from the challenge in the header')]
  if (expected === undefined)
    return challenge === undefined ? [] : [stated(`the seed follows from the challenge ${JSON.stringify(challenge)}`)]
  if (challenge === expected) return []
  return [
    altered(
      challenge === undefined
        ? 'the run used no challenge'
        : `the run used a different challenge: ${JSON.stringify(challenge)}`,
    ),
  ]
}
