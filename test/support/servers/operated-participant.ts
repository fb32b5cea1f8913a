/** A simulator that differs from the reference simulator as a live participant does, and breaks no rule. */

import { answerOf, bodyOf, json } from '../../../lab/interceptors/bodies.js'
import type { JsonObject } from '../../../lib/json/json.js'
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

/** Each stands for one more fault, because random requests have several faults too rarely. */
const furtherMembers = ['submissionId', 'workflowId', 'readAs', 'minLedgerTimeAbs', 'tapsMaxPasses']

const furtherIn = (body: JsonObject): number => furtherMembers.filter((name) => name in body).length

/** A value of a wrong kind is a server error, unless further faults are found first. */
const otherOrder =
  (further: number, count: () => void): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const answer = await handle(request)
    const body = request.operation === 'submit-and-wait' ? bodyOf(request) : undefined
    const fault = answerOf(answer)
    if (!body || fault?.['code'] !== 'LEDGER_API_INTERNAL_ERROR' || furtherIn(body) < further) return answer
    count()
    return json(400, { ...fault, code: 'INVALID_ARGUMENT', context: {}, errorCategory: 8, grpcCodeValue: 3 })
  }

const stillMicros = 50_000n

export interface OperatedParticipant extends Simulator {
  /** Number of answers with another order of checks. */
  readonly reordered: () => number
}

/** `further`: number of faults beside a value of a wrong kind from which the order of checks differs. */
export async function startOperatedParticipant(further: 1 | 2): Promise<OperatedParticipant> {
  const system = systemClock()
  const participant = await createParticipant({
    clock: { ...system, now: () => system.now() - (system.now() % stillMicros) },
  })
  let reordered = 0
  const reorder = otherOrder(further, () => {
    reordered += 1
  })
  participant.interceptor = (stage) => otherNames({ ...stage, handle: reorder(stage) })
  return { ...(await serve(participant)), reordered: () => reordered }
}
