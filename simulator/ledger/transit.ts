import { setTimeout as delay } from 'node:timers/promises'

/** Between two submissions that were sent at once lies less than this, even on a busy machine. */
const quietMilliseconds = 10
/** The reference participant 3.5.10 takes about as long for every single submission. */
const longestMilliseconds = 300

/**
 * How long submissions are in flight: until none has set out for a moment. So those that are sent at once meet in
 * flight, in a simulator as in a slow participant, and one that is alone hardly waits. They land in the order in which
 * they set out.
 */
export function quietTransit(): () => Promise<void> {
  let departed = 0
  let landing: Promise<void> | undefined
  const quiet = async (): Promise<void> => {
    const latest = performance.now() + longestMilliseconds
    let before: number
    do {
      before = departed
      await delay(quietMilliseconds)
    } while (departed !== before && performance.now() < latest)
    landing = undefined
  }
  return () => {
    departed += 1
    landing ??= quiet()
    return landing
  }
}
