import type { Confidence, Strength } from '../types/resolved-row.js'

/**
 * What an expectation that is not met makes of its row and of its rules: an obligation makes them fail; a recommendation, and
 * what was only read in the source of the reference, is a warning; a freedom that is not used leaves nothing to judge.
 */
export function unmetVerdict({
  strength,
  confidence,
}: {
  strength: Strength
  confidence: Confidence
}): 'fail' | 'warning' | 'not-applicable' {
  if (strength === 'may' || strength === 'client') return 'not-applicable'
  return strength === 'should' || confidence === 'read' ? 'warning' : 'fail'
}
