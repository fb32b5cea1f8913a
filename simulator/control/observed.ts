import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, printed } from '../http/answer.js'
import type { Middleware } from '../http/middleware.js'
import { deliver, resetConnection, standIn } from './deliver.js'
import type { Fault } from './fault.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'
import { journalEntry } from './journal-entry.js'

/**
 * Injects the faults into the calls that they are due for, and writes every call into the journal. Delays add up; of other faults
 * the one that was set first counts.
 */
export function observedAndFaulty(faults: Faults, journal: Journal): Middleware {
  return async (exchange, run) => {
    const { request, response, endpoint } = exchange
    const startedAt = new Date()
    const begin = performance.now()
    // A request without an operation is not waited for: it is answered from its head alone.
    const body = endpoint && exchange.body().catch(() => undefined)
    const injected = endpoint && body ? await faults.dueFor(endpoint, body) : []
    let answer: Answer | undefined
    try {
      // A fault meets what has arrived as a whole, as that of a proxy would.
      if (injected.length > 0) await body
      answer = await answerUnder(injected, response, run)
    } finally {
      const milliseconds = Math.round(performance.now() - begin)
      const outcome = { answer, faults: injected, startedAt, milliseconds }
      journal.add(endpoint, journalEntry({ request, endpoint }, await body, outcome))
    }
  }
}

/** Returns what was to be answered; undefined when nothing was, because the operation never ran. */
async function answerUnder(
  faults: readonly Fault[],
  response: ServerResponse,
  run: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const decisive = faults.find(({ kind }) => kind !== 'delay')
  await pause(delayAt('request', faults), response)
  const answer = decisive?.at === 'request' ? insteadOf(decisive) : await run()
  await pause(delayAt('answer', faults), response)
  if (!answer) {
    resetConnection(response)
    return undefined
  }
  const sent = printed(decisive?.kind === 'status' ? standIn(decisive) : answer)
  deliver(response, sent, decisive)
  return sent
}

const insteadOf = (fault: Fault): Answer | undefined => (fault.kind === 'status' ? standIn(fault) : undefined)

const delayAt = (point: Fault['at'], faults: readonly Fault[]): number =>
  faults.reduce((sum, fault) => sum + (fault.kind === 'delay' && fault.at === point ? fault.milliseconds : 0), 0)

/** Waits, but for nobody who has gone away. */
async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  if (milliseconds === 0 || response.closed) return
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  response.once('close', leave)
  await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined)
  response.off('close', leave)
}
