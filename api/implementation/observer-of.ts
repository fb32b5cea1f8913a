import type { RunObserver } from '../../runner/run.js'
import { ConformanceError } from '../types/conformance-error.js'
import type { SuiteEvents } from '../types/suite-events.js'

interface Listened {
  /** Throws what a listener has thrown or rejected with before, so that the run ends. */
  observer: RunObserver
  /** Until listeners that return promises have ended. Rejects as the observer throws. */
  settled(): Promise<void>
}

/** Tells listeners what the run tells, in the words of the library. */
export function listenedBy(on: SuiteEvents = {}): Listened {
  const pending: Promise<void>[] = []
  let failure: ConformanceError | undefined
  const fail = (name: keyof SuiteEvents, cause: unknown): void => {
    const why = cause instanceof Error ? cause.message : String(cause)
    failure ??= new ConformanceError(
      'LISTENER_FAILED',
      `on.${name}: the listener failed (${why}); the run ended`,
      cause,
    )
  }
  const heard = (name: keyof SuiteEvents, tell: () => unknown): void => {
    // A listener may be an async function, whatever its type says; its rejection would be unhandled.
    try {
      pending.push(Promise.resolve(tell()).then(noResult, (error: unknown) => fail(name, error)))
    } catch (error) {
      fail(name, error)
    }
    if (failure) throw failure
  }
  return {
    observer: {
      planned: ({ rows, left, foreseen: { requests, effects }, header: { seed } }) =>
        heard('planned', () =>
          on.planned?.({ rows, notApplicable: left, requests, transactions: effects.transactions, seed }),
        ),
      row: ({ id, verdict, resolved: { title, operation } }, done, total) =>
        heard('row', () => on.row?.({ id, title, operation, verdict }, { done, total })),
    },
    settled: async () => {
      await Promise.all(pending)
      if (failure) throw failure
    },
  }
}

const noResult = (): void => undefined
