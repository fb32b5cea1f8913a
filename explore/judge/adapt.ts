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

export interface Adapted {
  points: readonly SwitchPoint[]
  /**
   * `follows`: from now on, the reference follows the text at these points. `restored`: the same, undone: a request with
   * several faults had misled. `masked`: a restored point that another fault of the request masks; nothing changes.
   */
  effect: 'follows' | 'restored' | 'masked'
}

export interface Adaptation {
  /**
   * Finds points that remove the difference. Without such points, or if `isValid` returns false at the end, all stay
   * unchanged.
   */
  adapt(isGone: () => Promise<boolean>, isValid?: () => boolean): Promise<Adapted | undefined>
}

export function adaptationOf({ points, toggle, together }: ReferenceSwitches): Adaptation {
  let untried = [...points]
  let following: SwitchPoint[] = []
  const restored: SwitchPoint[] = []
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
  const firstOf = async (
    some: readonly SwitchPoint[],
    isGone: () => Promise<boolean>,
  ): Promise<SwitchPoint | undefined> => {
    for (const point of some) if (await attempt([point], isGone)) return point
    return undefined
  }
  /** One answer can show two divergences. */
  const severalOf = async (isGone: () => Promise<boolean>): Promise<SwitchPoint[]> => {
    for (const names of together) {
      const some = untried.filter(({ name }) => names.includes(name))
      if (some.length < 2 || !(await attempt(some, isGone))) continue
      const idle = new Set<SwitchPoint>()
      for (const point of some) if (await isIdle(point, isGone)) idle.add(point)
      return some.filter((point) => !idle.has(point))
    }
    return []
  }
  const toggled = async (isGone: () => Promise<boolean>): Promise<Adapted | undefined> => {
    const fresh = await firstOf(untried, isGone)
    if (fresh) return { points: [fresh], effect: 'follows' }
    const misled = await firstOf(following, isGone)
    if (misled) return { points: [misled], effect: 'restored' }
    const masked = await firstOf(restored, isGone)
    if (masked) return { points: [masked], effect: 'masked' }
    const several = await severalOf(isGone)
    return several.length > 0 ? { points: several, effect: 'follows' } : undefined
  }
  return {
    adapt: async (isGone, isValid = () => true) => {
      const found = await toggled(isGone)
      if (!found) return undefined
      const isAccepted = isValid()
      if (!isAccepted || found.effect === 'masked') await toggle(found.points.map(({ name }) => name))
      if (!isAccepted) return undefined
      if (found.effect === 'follows') {
        untried = untried.filter((point) => !found.points.includes(point))
        following.push(...found.points)
      } else if (found.effect === 'restored') {
        following = following.filter((point) => !found.points.includes(point))
        restored.push(...found.points)
      }
      return found
    },
  }
}
