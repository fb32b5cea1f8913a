/**
 * Where known participants differ, the reference can behave as another one. A difference that disappears then is a known
 * difference.
 */

export interface ReferenceSwitches {
  /** Names of switch points. */
  points: readonly string[]
  /** Points in which another known participant differs. */
  together: readonly (readonly string[])[]
  toggle(names: readonly string[]): Promise<void>
}

export interface Adapted {
  points: readonly string[]
  /**
   * `follows`: from now on, the reference behaves at these points as another line or as the text. `restored`: the same, undone: a request with
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
  let following: string[] = []
  const restored: string[] = []
  /** The difference disappears, returns and disappears with the toggles; an intermittent one does not. */
  const attempt = async (some: readonly string[], isGone: () => Promise<boolean>): Promise<boolean> => {
    await toggle(some)
    if (await isGone()) {
      await toggle(some)
      const isBack = !(await isGone())
      await toggle(some)
      if (isBack && (await isGone())) return true
    }
    await toggle(some)
    return false
  }
  /** True, with the point toggled back, if the difference stays away without it. */
  const isIdle = async (name: string, isGone: () => Promise<boolean>): Promise<boolean> => {
    await toggle([name])
    if (await isGone()) return true
    await toggle([name])
    return false
  }
  const firstOf = async (some: readonly string[], isGone: () => Promise<boolean>): Promise<string | undefined> => {
    for (const point of some) if (await attempt([point], isGone)) return point
    return undefined
  }
  /** One answer can show two divergences. */
  const severalOf = async (isGone: () => Promise<boolean>): Promise<string[]> => {
    for (const names of together) {
      const some = untried.filter((name) => names.includes(name))
      if (some.length < 2 || !(await attempt(some, isGone))) continue
      const idle = new Set<string>()
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
      if (!isAccepted || found.effect === 'masked') await toggle(found.points)
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
