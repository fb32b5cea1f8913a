/** Differences of a live participant that depend on its load. A finding would not be repeatable. */
import { valueAt } from '../../runner/template/pointer.js'
import type { ComparedAnswers } from '../compare/run-sequence.js'

interface Race {
  name: string
  /** A participant returns one of these codes. */
  codes: ReadonlySet<string>
  reason: string
}

const races: readonly Race[] = [
  {
    name: 'time-exceeded',
    codes: new Set([
      'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND',
      'LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND',
      'NOT_SEQUENCED_TIMEOUT',
    ]),
    reason: 'the load decides whether a late transaction is rejected before or after its sequencing',
  },
  {
    name: 'same-change-in-flight',
    codes: new Set(['DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT']),
    reason: 'the load decides whether the first submission of a change is complete when the second one arrives',
  },
]

/** The name and the reason; undefined if the codes do not depend on a race. */
export function raceBetween({ reference, target, difference }: ComparedAnswers): string | undefined {
  // A race never decides whether a request is accepted, rejected or a server error.
  if (difference?.outcomes.reference !== difference?.outcomes.target) return undefined
  const [ours, theirs] = [reference, target].map(({ answer }) => valueAt(answer?.json, '/code'))
  if (typeof ours !== 'string' || typeof theirs !== 'string' || ours === theirs) return undefined
  const race = races.find(({ codes }) => codes.has(ours) && codes.has(theirs))
  return race && `${race.name}: ${race.reason}`
}

/** The order in which a participant converts several commands is open. */
export const severalFaults = 'several-faulty-commands: the participant converts commands concurrently'
