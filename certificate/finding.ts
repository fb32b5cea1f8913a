/** Findings of `verify` about a bundle. */
export interface BundleFinding {
  /**
   * `altered`: the bundle differs from the signed statement or contradicts itself. `unproven`: only the signature supports the point.
   * `stated`: a setting that reduced the examination. `noted`: no effect on the certified statement.
   */
  kind: 'altered' | 'unproven' | 'stated' | 'noted'
  /** A sentence without its full stop. */
  what: string
}

export const altered = (what: string): BundleFinding => ({ kind: 'altered', what })
export const unproven = (what: string): BundleFinding => ({ kind: 'unproven', what })
export const stated = (what: string): BundleFinding => ({ kind: 'stated', what })
export const noted = (what: string): BundleFinding => ({ kind: 'noted', what })

/** Largest number of ids in one finding. */
const named = 3

/** `A, B, C and 4 more`. */
export function idsInWords(ids: readonly string[]): string {
  const more = ids.length - named
  return `${ids.slice(0, named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
