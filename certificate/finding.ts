export interface BundleFinding {
  /**
   * `altered`: the bundle contradicts the signed statement or itself, or its run does not conform. `unproven`: only the
   * signature supports the point. `stated`: a setting that reduced the examination. `noted`: no effect.
   */
  kind: 'altered' | 'unproven' | 'stated' | 'noted'
  /** A sentence without its full stop. */
  what: string
}

export const altered = (what: string): BundleFinding => ({ kind: 'altered', what })
export const unproven = (what: string): BundleFinding => ({ kind: 'unproven', what })
export const stated = (what: string): BundleFinding => ({ kind: 'stated', what })
export const noted = (what: string): BundleFinding => ({ kind: 'noted', what })

const named = 3

/** `A, B, C and 4 more`. */
export function idsInWords(ids: readonly string[]): string {
  const more = ids.length - named
  return `${ids.slice(0, named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
