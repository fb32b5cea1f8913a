/**
 * At a recorded divergence the reference can follow the text instead. A difference that disappears then is that
 * divergence.
 */

export interface SwitchPoint {
  name: string
  divergences: readonly string[]
}

export interface ReferenceSwitches {
  points: readonly SwitchPoint[]
  /** Names of points in which another known participant differs. */
  together: readonly (readonly string[])[]
  toggle(names: readonly string[]): Promise<void>
}

export interface Adaptation {
  /**
   * Toggles and returns points that remove the difference. Without such points, or if `isValid` returns false at the
   * end, all stay unchanged.
   */
  adapt(isGone: () => Promise<boolean>, isValid?: () => boolean): Promise<readonly SwitchPoint[]>
}

/** Toggled points remain toggled. */
export function adaptationOf({ points, toggle, together }: ReferenceSwitches): Adaptation {
  let untried = [...points]
  /** The difference disappears, returns and disappears with the toggles; an intermittent one does not. */
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
    adapt: async (isGone, isValid = () => true) => {
      let found: SwitchPoint[] = []
      for (const point of untried) {
        if (await attempt([point], isGone)) {
          found = [point]
          break
        }
      }
      // One answer can show two divergences.
      for (const names of found.length === 0 ? together : []) {
        const some = untried.filter(({ name }) => names.includes(name))
        if (some.length < 2 || !(await attempt(some, isGone))) continue
        found = some
        for (const point of some) if (await isIdle(point, isGone)) found = found.filter((one) => one !== point)
        break
      }
      if (found.length > 0 && !isValid()) {
        await toggle(found.map(({ name }) => name))
        return []
      }
      untried = untried.filter((point) => !found.includes(point))
      return found
    },
  }
}
