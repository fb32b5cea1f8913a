import type { Confidence, Strength } from '../types/resolved-row.js'

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
