import type { Interceptor, Overrides } from '../../simulator/participant/participant.js'

/** A participant that uses a freedom of the text. The profile `interface` reports no failure against it. */
export interface Variant extends Pick<Overrides, 'bodyLimit' | 'cutsOff'> {
  /** Lower case, with hyphens. */
  name: string
  sentence: string
  /** The sentence or the silence of the text. */
  permittedBy: string
  interceptor: Interceptor
  /** It leaves few rows to judge. */
  isSparing?: true
  /** The reference participant behaves so, too. */
  reference?: true
  /** Declared facts about the limit of `tapsMaxPasses` do not hold. */
  hasOwnTapsLimit?: true
}

export const variant = (
  name: string,
  sentence: string,
  permittedBy: string,
  interceptor: Interceptor,
  more: Partial<Variant> = {},
): Variant => ({ name, sentence, permittedBy, interceptor, ...more })
