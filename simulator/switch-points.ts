/** Participants that are otherwise than they should be, or otherwise than others: by name, loaded when they are asked for. */
import { named } from './base/named.js'
import type { Mutant, SwitchPoints } from './mutants/mutant.js'
import type { Variant } from './variants/variant.js'

export interface Otherwise {
  /** Name of a mutant: the one rule that is broken, and how. */
  mutant?: string
  /** Names of variants: what the text leaves open, used. */
  variants?: readonly string[]
}

/** Rejects with `UnknownName`. */
export async function switchPointsOf({
  mutant,
  variants = [],
}: Otherwise): Promise<SwitchPoints & { bodyLimit?: number; cutsOff?: true }> {
  if (mutant === undefined && variants.length === 0) return {}
  const [broken, varied, { together }] = await Promise.all([
    import('./mutants/catalogue.js'),
    import('./variants/catalogue.js'),
    import('./variants/variant.js'),
  ])
  const points: SwitchPoints = mutant === undefined ? {} : named('mutant', mutant, broken.mutants)
  const request = new Set(variants.map((name) => named('variant', name, varied.variants)))
  // In the order of the catalogue, in whatever order they were asked for.
  const several = varied.variants.filter((one) => request.has(one))
  const limits = several.flatMap(({ bodyLimit }) => bodyLimit ?? [])
  const interceptors = [points, ...several].flatMap(({ interceptor }) => (interceptor ? [{ interceptor }] : []))
  return {
    ...points,
    ...(interceptors.length > 0 && { interceptor: together(interceptors) }),
    ...(limits.length > 0 && { bodyLimit: Math.max(...limits) }),
    ...(several.some(({ cutsOff }) => cutsOff) && { cutsOff: true }),
  }
}

/** All mutants that the simulator knows. */
export const allMutants = async (): Promise<readonly Mutant[]> => (await import('./mutants/catalogue.js')).mutants

/** All variants that the simulator knows. */
export const allVariants = async (): Promise<readonly Variant[]> => (await import('./variants/catalogue.js')).variants
