/** A participant that has no time for the moment: what it was asked then it has not looked at, and it is asked again. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Evidence } from '../../record/record.js'
import { askedToWait } from '../../runner/execute/availability.js'

/** All in milliseconds: where it does not say how long; at least, so that zero seconds keep nobody busy; and in all. */
const usual = 500
const shortest = 50
const longest = 20_000

/** Sends again for as long as the answer is 429 and the time that it asks for is not too long; the last answer counts. */
export async function patiently(send: () => Promise<Evidence>): Promise<Evidence> {
  const end = performance.now() + longest
  for (;;) {
    const evidence = await send()
    const asked = askedToWait(evidence, Date.now())
    if (asked === undefined) return evidence
    const wait = Math.max(asked.milliseconds ?? usual, shortest)
    if (performance.now() + wait > end) return evidence
    await delay(wait)
  }
}
