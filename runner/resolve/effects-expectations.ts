/** What is expected of the ledger a while after a request under test: what answers told of, and nothing else. */
import type { ResolvedExpectation } from '../../record/resolved-row.js'
import { divergenceAt } from './content-expectations.js'
import { noEffect, nothingElse } from './implicit-rules.js'
import { type ExpectationScope, strongest } from './scope.js'
import { basisOf } from './words.js'

/** One where it is refused and one where it is accepted; none of an operation that commits nothing, nor without such rules. */
export function effectsExpectations(
  operation: string,
  source: ResolvedExpectation['source'],
  scope: ExpectationScope,
): ResolvedExpectation[] {
  const accepted = nothingElse.get(operation)
  if (accepted === undefined) return []
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
  return [
    ...expected(noEffect, 'refused', divergence ? 1 : 0).map((one) => ({
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
