import { setTimeout as delay } from 'node:timers/promises'

/** Between two submissions that were sent at once lies less than this, even on a busy machine. */
const quietMilliseconds = 10
/** The reference participant 3.5.10 takes about as long for every single submission. */
const longestMilliseconds = 300

/**
 * How long submissions are in flight: until none has been submitted for a moment. So those that are sent at once meet in
 * flight, in a simulator as in a slow participant, and one that is alone hardly waits. They commit in the order
 * in which they were submitted.
 */
export function quietTransit(): () => Promise<void> {
  let submitted = 0
  let commit: Promise<void> | undefined
  const quiet = async (): Promise<void> => {
    const latest = performance.now() + longestMilliseconds
    let before: number
    do {
      before = submitted
      await delay(quietMilliseconds)
    } while (submitted !== before && performance.now() < latest)
    commit = undefined
  }
  return () => {
    submitted += 1
    commit ??= quiet()
    return commit
  }
}
