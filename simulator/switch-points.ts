/** Participants that are otherwise than they should be, or otherwise than others: by name, loaded when they are asked for. */
import { named } from './base/named.js'
import type { Deviation, SwitchPoints } from './deviations/deviation.js'
import type { Variation } from './variations/variation.js'

export interface Otherwise {
  /** Name of a deviation: the one rule that is broken, and how. */
  deviation?: string
  /** Names of variations: what the text leaves open, used. */
  variations?: readonly string[]
}

/** Rejects with `UnknownName`. */
export async function switchPointsOf({
  deviation,
  variations = [],
}: Otherwise): Promise<SwitchPoints & { bodyLimit?: number; cutsOff?: true }> {
  if (deviation === undefined && variations.length === 0) return {}
  const [broken, varied, { together }] = await Promise.all([
    import('./deviations/catalogue.js'),
    import('./variations/catalogue.js'),
    import('./variations/variation.js'),
  ])
  const points: SwitchPoints = deviation === undefined ? {} : named('deviation', deviation, broken.deviations)
  const asked = new Set(variations.map((name) => named('variation', name, varied.variations)))
  // In the order of the catalogue, in whatever order they were asked for.
  const several = varied.variations.filter((one) => asked.has(one))
  const limits = several.flatMap(({ bodyLimit }) => bodyLimit ?? [])
  const doors = [points, ...several].flatMap(({ door }) => (door ? [{ door }] : []))
  return {
    ...points,
    ...(doors.length > 0 && { door: together(doors) }),
    ...(limits.length > 0 && { bodyLimit: Math.max(...limits) }),
    ...(several.some(({ cutsOff }) => cutsOff) && { cutsOff: true }),
  }
}

/** All deviations that the simulator knows. */
export const allDeviations = async (): Promise<readonly Deviation[]> =>
  (await import('./deviations/catalogue.js')).deviations

/** All variations that the simulator knows. */
export const allVariations = async (): Promise<readonly Variation[]> =>
  (await import('./variations/catalogue.js')).variations
