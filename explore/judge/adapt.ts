/**
 * Recognizes divergences: at each recorded divergence the reference can follow the text instead. A difference that disappears then
 * is that divergence.
 */

/** A divergence at which the reference can follow the text. */
export interface SwitchPoint {
  name: string
  /** Ids of divergences in the profile. */
  divergences: readonly string[]
}

export interface ReferenceSwitches {
  points: readonly SwitchPoint[]
  toggle(names: readonly string[]): Promise<void>
}

export interface Adaptation {
  /** Toggles the points that remove the difference, and returns them. Without such points, all points remain unchanged. */
  adapt(isGone: () => Promise<boolean>): Promise<readonly SwitchPoint[]>
}

/** Toggled points remain toggled for the rest of the exploration. */
export function adaptationOf({ points, toggle }: ReferenceSwitches): Adaptation {
  let untried = [...points]
  /** Requires that the difference disappears, returns and disappears with the toggles: an intermittent one does not. */
  const attempt = async (some: readonly SwitchPoint[], isGone: () => Promise<boolean>): Promise<boolean> => {
    const names = some.map(({ name }) => name)
    await toggle(names)
    if (await isGone()) {
      await toggle(names)
      const isBack = !(await isGone())
      await toggle(names)
      if (isBack && (await isGone())) return true
    }
    await toggle(names)
    return false
  }
  /** True, with the point toggled back, if the difference stays away without it. */
  const isIdle = async ({ name }: SwitchPoint, isGone: () => Promise<boolean>): Promise<boolean> => {
    await toggle([name])
    if (await isGone()) return true
    await toggle([name])
    return false
  }
  return {
    adapt: async (isGone) => {
      let found: SwitchPoint[] = []
      for (const point of untried) {
        if (await attempt([point], isGone)) {
          found = [point]
          break
        }
      }
      // One answer can show two divergences: try all points, then remove each idle one.
      if (found.length === 0 && untried.length > 1 && (await attempt(untried, isGone))) {
        found = untried
        for (const point of untried) if (await isIdle(point, isGone)) found = found.filter((one) => one !== point)
      }
      untried = untried.filter((point) => !found.includes(point))
      return found
    },
  }
}
