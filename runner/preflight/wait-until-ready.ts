import type { SupportName } from '../../interface/operations.js'
import { isJsonObject } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { findDefaultUser } from '../provision/assign-users.js'
import type { Caller } from '../provision/caller.js'
import { TargetError } from '../target/target.js'
import { isUnavailable } from '../transport/availability.js'
import { EndedBeforeRows } from '../transport/early-end.js'
import type { RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'

/** Milliseconds. */
const pause = 1000

/** Without the option `wait`, returns at once. Throws `EndedBeforeRows`. */
export async function waitUntilReady(
  options: RunOptions,
  started: StartedSession,
  notify: (sentence: string) => void,
): Promise<void> {
  const { wait } = options
  const { end } = started
  if (wait === undefined) return
  const begin = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    const reason = await findReason(options, started)
    if (reason === undefined) {
      if (!isFirst) notify('The target is ready.')
      return
    }
    if (isFirst) notify(`The target is not ready: ${reason}. Waiting up to ${wait / 1000} s.`)
    if (performance.now() - begin + pause > wait) return
    await end.pause(pause)
    if (end.decided) throw new EndedBeforeRows(end.decided)
  }
}

const permanent = /^(?:EPROTO|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|.*_CERT|.*_CERT_.*|UNABLE_TO_.*)$/

/** Undefined: ready, or waiting cannot help. */
async function findReason(
  { target, access }: RunOptions,
  { beforehand: { probe, as } }: StartedSession,
): Promise<string | undefined> {
  const isReachable = (name: SupportName): boolean => !access.unreachable.has(name)
  const first = isReachable('version') ? await probe('version') : undefined
  if (first && isUnavailable(first)) return permanent.test(first.problem?.cause ?? '') ? undefined : reasonOf(first)
  const ready = isReachable('readyz') ? await probe('readyz') : undefined
  if (ready && isNotReady(ready)) return reasonOf(ready)
  return isReachable('connected-synchronizers') ? missingSynchronizer(as(findDefaultUser(target))) : undefined
}

const reasonOf = ({ problem, response, request }: Evidence): string =>
  problem?.message ?? `GET ${request.url} returned ${response?.status}`

/** A gateway returns other errors for a missing operation. */
export const isNotReady = (evidence: Evidence): boolean => answerOf(evidence)?.status === 503

async function missingSynchronizer(call: Caller): Promise<string | undefined> {
  try {
    const answer = await call('connected-synchronizers')
    const connected = isJsonObject(answer) ? answer['connectedSynchronizers'] : undefined
    return Array.isArray(connected) && connected.length === 0 ? 'it is connected to no synchronizer' : undefined
  } catch (error) {
    // A rejected caller is rejected again.
    if (error instanceof TargetError) return undefined
    throw error
  }
}
