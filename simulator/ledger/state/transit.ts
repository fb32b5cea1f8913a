import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/** Between two submissions that were sent at once lies less than this, even on a busy machine. */
const quietMilliseconds = 10
/** The reference participant 3.5.10 takes about as long for every single submission. */
const longestMilliseconds = 300

/** Those who could submit something meanwhile. */
export interface Others {
  /** Nobody could. */
  readonly hasSingleClient: boolean
}

/**
 * How long submissions are in flight: until none has been submitted for a moment. So those that are sent at once meet in
 * flight, in a simulator as in a slow participant. They commit in the order in which they were submitted. One that nobody else can
 * meet does not wait.
 */
export function quietTransit(): (others: Others) => Promise<void> {
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
  return async (others) => {
    submitted += 1
    // What has arrived at the same time, and connections that were opened then, show within a whole turn of the event loop.
    await turn()
    await turn()
    if (others.hasSingleClient) return
    commit ??= quiet()
    return commit
  }
}
