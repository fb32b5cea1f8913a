/** What is expected of the ledger a while after a request under test: what answers told of, and nothing else. */
import type { ResolvedExpectation } from '../../record/resolved-row.js'
import { divergenceAt } from './content-expectations.js'
import { noEffect, nothingElse } from './implicit-rules.js'
import { type ExpectationScope, strongest } from './scope.js'
import { basisOf } from './words.js'

/**
 * One where the request under test is refused and one where it is accepted, as far as there are such rules; none for what commits
 * nothing. `operations`: those of the steps, the one under test at last.
 */
export function effectsExpectations(
  operations: readonly string[],
  source: ResolvedExpectation['source'],
  scope: ExpectationScope,
): ResolvedExpectation[] {
  const committing = operations.flatMap((operation) => nothingElse.get(operation) ?? [])
  const accepted = committing.at(-1)
  if (accepted === undefined) return []
  const isTested = nothingElse.has(operations.at(-1) ?? '')
  // What a profile knows to be carried out though it is refused is there.
  const divergence = divergenceAt('', [noEffect], scope)
  const expected = (rule: string, when: 'accepted' | 'refused', untold: number): ResolvedExpectation[] =>
    scope.strengths.has(rule)
      ? [
          {
            kind: 'effects',
            rules: [rule],
            strength: strongest([rule], scope.strengths),
            confidence: 'text',
            anyOf: [{ checks: [{ on: 'effects', when, untold }] }],
            source,
          },
        ]
      : []
  const refused = isTested ? expected(noEffect, 'refused', divergence ? 1 : 0) : []
  return [
    ...refused.map((one) => ({
      ...one,
      ...(divergence && {
        divergence: divergence.id,
        basis: basisOf(divergence),
        confidence: divergence.confidence,
      }),
    })),
    ...expected(accepted, 'accepted', 0),
  ]
}
