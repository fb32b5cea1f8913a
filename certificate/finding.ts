/** What stands against a bundle, or is worth to be known of it. */
export interface BundleFinding {
  /**
   * `altered`: it is not what was certified, or does not hold. `noted`: without effect on what is certified. `unproven`: nobody
   * can tell from the bundle, and the signature alone stands for it.
   */
  kind: 'altered' | 'noted' | 'unproven'
  /** A sentence without its full stop. */
  what: string
}

export const altered = (what: string): BundleFinding => ({ kind: 'altered', what })
export const unproven = (what: string): BundleFinding => ({ kind: 'unproven', what })
export const noted = (what: string): BundleFinding => ({ kind: 'noted', what })
