/** Waiting for a target that is starting, or that has no synchronizer yet. */

import type { SupportName } from '../../interface/operations.js'
import { isJsonObject } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import type { Caller } from '../provision/caller.js'
import { TargetError } from '../target/target.js'
import { isUnavailable } from '../transport/availability.js'
import { type EarlyEnd, EndedBeforeRows } from '../transport/early-end.js'

export interface Waiting {
  /** Milliseconds in all. */
  limit: number
  unreachable: ReadonlySet<string>
  /** Asks as nobody. */
  probe(operation: 'version' | 'readyz'): Promise<Evidence>
  /** Asks as the one who asks what anybody may ask; undefined where nobody can. */
  call: Caller | undefined
  end: EarlyEnd
  told(sentence: string): void
}

/** What to do about a target that is not ready; `wait`: the milliseconds that it was waited for. */
export const waitAdvice = (wait: number | undefined): string =>
  wait === undefined ? '--wait 60s would wait for it' : `it was waited for, ${wait / 1000} s`

const pause = 1000

/** Comes back when the target is ready, when it is of no use to wait any longer, or after the time. Throws `EndedBeforeRows`. */
export async function waitUntilReady(waiting: Waiting): Promise<void> {
  const { limit, end, told } = waiting
  const begin = performance.now()
  let said = false
  for (;;) {
    const reason = await notReady(waiting)
    if (reason === undefined) {
      if (said) told('the target is ready now')
      return
    }
    if (!said) told(`the target is not ready: ${reason}. It is waited for, ${limit / 1000} s at most.`)
    said = true
    if (performance.now() - begin + pause > limit) return
    await end.pause(pause)
    if (end.decided) throw new EndedBeforeRows(end.decided)
  }
}

/** No time helps against these. */
const lasting = /\((?:EPROTO|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|.*_CERT|.*_CERT_.*|UNABLE_TO_.*)\)/

async function notReady({ unreachable, probe, call }: Waiting): Promise<string | undefined> {
  const asks = (name: SupportName): boolean => !unreachable.has(name)
  const first = asks('version') ? await probe('version') : undefined
  if (first && isUnavailable(first)) return lasting.test(first.problem?.message ?? '') ? undefined : reasonOf(first)
  const ready = asks('readyz') ? await probe('readyz') : undefined
  if (ready && isNotReady(ready)) return reasonOf(ready)
  return call && asks('connected-synchronizers') ? withoutSynchronizer(call) : undefined
}

const reasonOf = ({ problem, response, request }: Evidence): string =>
  problem?.message ?? `GET ${request.url} is answered with ${response?.status}`

/** Of participants that have no such question somebody else answers that there is none. */
export const isNotReady = (evidence: Evidence): boolean => answerOf(evidence)?.status === 503

async function withoutSynchronizer(call: Caller): Promise<string | undefined> {
  try {
    const answer = await call('connected-synchronizers')
    const connected = isJsonObject(answer) ? answer['connectedSynchronizers'] : undefined
    return Array.isArray(connected) && connected.length === 0 ? 'it is connected to no synchronizer' : undefined
  } catch (error) {
    // Who may not ask learns nothing by asking again.
    if (error instanceof TargetError) return undefined
    throw error
  }
}
