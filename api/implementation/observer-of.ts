import type { RunObserver } from '../../runner/run.js'
import type { SuiteEvents } from '../types/suite-events.js'

/** Tells listeners what the run tells, in the words of the library. */
export const observerOf = (on: SuiteEvents = {}): RunObserver => ({
  planned: ({ rows, left, foreseen: { requests, effects }, header: { seed } }) =>
    on.planned?.({ rows, notApplicable: left, requests, transactions: effects.transactions, seed }),
  row: ({ id, verdict, resolved: { title, operation } }, done, total) =>
    on.row?.({ id, title, operation, verdict }, { done, total }),
})
