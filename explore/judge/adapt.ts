/**
 * A model that can do otherwise where a profile records that the reference differs from the text: a difference that is gone
 * then is that divergence, by name, whatever request shows it.
 */

/** One place in which the model can do as the text says. */
export interface SwitchPoint {
  name: string
  /** Ids of the divergences that it stands for. */
  divergences: readonly string[]
}

/** The model's own hands; another participant that stands in for it has none. */
export interface ModelSwitches {
  points: readonly SwitchPoint[]
  /** Does otherwise there than it did before. */
  turn(names: readonly string[]): Promise<void>
}

export interface Adaptation {
  /** The points that were turned, by which the difference is gone; none: all stand as before. */
  adapt(isGone: () => Promise<boolean>): Promise<readonly SwitchPoint[]>
}

/** What has been turned stays so: whatever else the target does is seen from there. */
export function adaptationOf({ points, turn }: ModelSwitches): Adaptation {
  let left = [...points]
  /** What comes and goes by itself is gone by no switch: with the points as before it must show again, and with them turned not. */
  const attempt = async (some: readonly SwitchPoint[], isGone: () => Promise<boolean>): Promise<boolean> => {
    const names = some.map(({ name }) => name)
    await turn(names)
    if (await isGone()) {
      await turn(names)
      const isBack = !(await isGone())
      await turn(names)
      if (isBack && (await isGone())) return true
    }
    await turn(names)
    return false
  }
  /** The difference stays gone when the point stands as before; then it is left like that. */
  const isIdle = async ({ name }: SwitchPoint, isGone: () => Promise<boolean>): Promise<boolean> => {
    await turn([name])
    if (await isGone()) return true
    await turn([name])
    return false
  }
  return {
    adapt: async (isGone) => {
      let found: SwitchPoint[] = []
      for (const point of left) {
        if (await attempt([point], isGone)) {
          found = [point]
          break
        }
      }
      // Two may show in one answer: all at once, and then without each that it does not take.
      if (found.length === 0 && left.length > 1 && (await attempt(left, isGone))) {
        found = left
        for (const point of left) if (await isIdle(point, isGone)) found = found.filter((one) => one !== point)
      }
      left = left.filter((point) => !found.includes(point))
      return found
    },
  }
}
