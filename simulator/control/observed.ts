import { setTimeout as wait } from 'node:timers/promises'
import type { Response } from 'express'
import type { Answer } from '../http/answer.js'
import type { Intermediary } from '../http/intermediary.js'
import { deliver, resetConnection, standIn } from './deliver.js'
import type { Fault } from './fault.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'
import { journalEntry } from './journal-entry.js'

/**
 * Lets the faults befall the calls that they strike, and writes every call into the journal. Delays add up; of other faults
 * the one that was set first counts.
 */
export function observedAndFaulty(faults: Faults, journal: Journal): Intermediary {
  return async (exchange, run) => {
    const { request, response, endpoint } = exchange
    const startedAt = new Date()
    const begin = performance.now()
    const struck = endpoint ? faults.strike(endpoint) : []
    // A request without an operation is not waited for: it is answered from its head alone.
    const body = endpoint && exchange.body().catch(() => undefined)
    let answer: Answer | undefined
    try {
      // A fault befalls what has arrived as a whole, as that of a proxy would.
      if (struck.length > 0) await body
      answer = await befall(struck, response, run)
    } finally {
      const milliseconds = Math.round(performance.now() - begin)
      const outcome = { answer, faults: struck, startedAt, milliseconds }
      journal.add(endpoint, journalEntry({ request, endpoint }, await body, outcome))
    }
  }
}

/** Returns what was to be answered; undefined when nothing was, because the operation never ran. */
async function befall(
  struck: readonly Fault[],
  response: Response,
  run: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const blow = struck.find(({ kind }) => kind !== 'delay')
  await pause(delayAt('request', struck), response)
  const answer = blow?.at === 'request' ? insteadOf(blow) : await run()
  await pause(delayAt('answer', struck), response)
  if (!answer) {
    resetConnection(response)
    return undefined
  }
  const sent = blow?.kind === 'status' ? standIn(blow) : answer
  deliver(response, sent, blow)
  return sent
}

const insteadOf = (blow: Fault): Answer | undefined => (blow.kind === 'status' ? standIn(blow) : undefined)

const delayAt = (place: Fault['at'], struck: readonly Fault[]): number =>
  struck.reduce((sum, fault) => sum + (fault.kind === 'delay' && fault.at === place ? fault.milliseconds : 0), 0)

/** Waits, but for nobody who has gone away. */
async function pause(milliseconds: number, response: Response): Promise<void> {
  if (milliseconds === 0 || response.closed) return
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  response.once('close', leave)
  await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined)
  response.off('close', leave)
}
