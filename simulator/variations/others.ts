/** What goes on at a participant beside those who look: others use it, and it takes its time. The reference shows all of it. */
import { bodyOf } from '../deviations/alterations.js'
import { type Variation, variation } from './variation.js'

const ofTheReference = (one: Variation): Variation => ({ ...one, reference: true })

/** Milliseconds. */
const pause = 40
const longerPause = 1000

const slow = variation(
  'slow-answers',
  'Every fourth answer takes its time.',
  'Nothing says how long an answer takes.',
  (stage) => {
    let count = 0
    return async (asked) => {
      count += 1
      const told = await stage.ask(asked)
      if (count % 4 === 0) await new Promise<void>((resolve) => stage.later(pause, resolve))
      return told
    }
  },
)

const busy = variation(
  'others-move-the-end',
  "Others' transactions move the end of the ledger between any two calls.",
  'offset: an integer; nothing says that offsets follow each other without gaps.',
  ({ ask, participant }) =>
    async (asked) => {
      participant.ledger.state.end += 2
      return ask(asked)
    },
)

const waited = variation(
  'bounded-executions-take-their-time',
  'An execution with a minLedgerTime takes its time.',
  'minLedgerTime: influences the chosen time; nothing says that nobody waits for it.',
  (stage) => async (asked) => {
    const isExecution = asked.operation === 'execute' || asked.operation === 'execute-and-wait-for-transaction'
    if (isExecution && JSON.stringify(bodyOf(asked)?.['minLedgerTime'] ?? '').includes('MinLedgerTime'))
      await new Promise<void>((resolve) => stage.later(longerPause, resolve))
    return stage.ask(asked)
  },
)

const traced = variation(
  'own-traces',
  'Whatever trace a caller brings, the participant follows one of its own.',
  'traceContext: an object with traceparent and tracestate; nothing of where they come from.',
  ({ ask }) =>
    (asked) => {
      const { traceparent: _, ...headers } = asked.headers
      return ask({ ...asked, headers })
    },
)

export const variationsOfOthers: readonly Variation[] = [...[slow, busy].map(ofTheReference), waited, traced]
