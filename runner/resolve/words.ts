/** What resolved rows and records say of a profile, in words. */
import type { Confidence } from '../../record/types/resolved-row.js'

/** `observed` is what suite files write for the participant that the profile was made from. */
export function basisOf({ source, confidence }: { source: string; confidence: Confidence }): string {
  if (source === 'observed') return 'observed on a live participant'
  return confidence === 'read' ? `read in source code: ${source}` : source
}
