import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/** Longer than the gap between simultaneous submissions on a busy machine. */
const quietMilliseconds = 10
/** About the duration of each submission on the reference participant 3.5.10. */
const longestMilliseconds = 300

export interface Others {
  /** No other client can submit. */
  readonly hasSingleClient: boolean
}

/** A submission stays in flight until no further one arrives, so simultaneous ones meet. They commit in order of submission. A single client does not wait. */
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
    // Simultaneous requests and new connections become visible within one turn of the event loop.
    await turn()
    await turn()
    if (others.hasSingleClient) return
    commit ??= quiet()
    return commit
  }
}
