/** A simulator that differs from the reference simulator as a live participant does, and breaks no rule. */
import { isJsonObject, type JsonObject, printJson } from '../../../lib/json/json.js'
import { bodyOf } from '../../../proof/interceptors/bodies.js'
import { systemClock } from '../../../simulator/ledger/state/clock.js'
import type { Interceptor } from '../../../simulator/participant/participant.js'
import { createParticipant, type Simulator, serve } from '../../../simulator/simulator.js'

/** Names that an operator chose, in place of those of the simulator. */
const names: readonly [own: string, shown: string][] = [
  ['sandbox::1220', 'participant1::1220'],
  ['synchronizer-1::1220', 'global-domain::1220'],
]

const withNames = (text: string, from: 0 | 1, to: 0 | 1): string =>
  names.reduce((changed, pair) => changed.replaceAll(pair[from], pair[to]), text)

const otherNames: Interceptor =
  ({ handle }) =>
  async (request) => {
    const path = withNames(request.path, 1, 0)
    const answer = await handle({ ...request, path, body: Buffer.from(withNames(request.body.toString(), 1, 0)) })
    return answer.contentType?.startsWith('application/json')
      ? { ...answer, text: withNames(answer.text, 0, 1) }
      : answer
  }

const checkedLater = ['commandId', 'actAs', 'userId', 'readAs', 'workflowId', 'submissionId', 'synchronizerId']

/** A duration of a wrong kind, which alone is accepted, beside two faults that are found later. */
function hasThreeFaults(body: JsonObject): boolean {
  const { minLedgerTimeRel: duration } = body
  if (duration === undefined || duration === null || isJsonObject(duration)) return false
  const faults = checkedLater.filter((name) => /^""|bad|"x"|\[\]|a{256}/.test(printJson(body[name] ?? null)))
  return faults.length >= 2
}

const undecodable = { status: 400, contentType: 'text/plain', text: 'Invalid value for: body (Duration)' }

/** Checks of a request with several faults have another order. */
const otherOrder =
  (count: () => void): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const answer = await handle(request)
    const body = request.operation === 'submit-and-wait' && answer.status === 400 ? bodyOf(request) : undefined
    if (!body || !hasThreeFaults(body)) return answer
    count()
    return undecodable
  }

const stillMicros = 50_000n

export interface OperatedParticipant extends Simulator {
  /** Answers to requests with three faults. */
  readonly reordered: () => number
}

export async function startOperatedParticipant(): Promise<OperatedParticipant> {
  const system = systemClock()
  const participant = await createParticipant({
    clock: { ...system, now: () => system.now() - (system.now() % stillMicros) },
  })
  let reordered = 0
  const reorder = otherOrder(() => {
    reordered += 1
  })
  participant.interceptor = (stage) => otherNames({ ...stage, handle: reorder(stage) })
  return { ...(await serve(participant)), reordered: () => reordered }
}
