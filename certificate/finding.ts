/** What stands against a bundle, or what its reader must know. */
export interface BundleFinding {
  /**
   * `altered`: the bundle is not what was signed, or contradicts itself. `unproven`: the bundle does not prove it, and the
   * signature alone stands for it. `stated`: a setting by which the run examined less. `noted`: without effect on what is certified.
   */
  kind: 'altered' | 'unproven' | 'stated' | 'noted'
  /** A sentence without its full stop. */
  what: string
}

export const altered = (what: string): BundleFinding => ({ kind: 'altered', what })
export const unproven = (what: string): BundleFinding => ({ kind: 'unproven', what })
export const stated = (what: string): BundleFinding => ({ kind: 'stated', what })
export const noted = (what: string): BundleFinding => ({ kind: 'noted', what })

/** Ids that a finding names. */
const named = 3

/** `A, B, C and 4 more`. */
export function idsInWords(ids: readonly string[]): string {
  const more = ids.length - named
  return `${ids.slice(0, named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
