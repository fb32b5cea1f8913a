/** Asks the target what it is, through operations that every participant has. */
import { JsonSyntaxError, type JsonValue, parseJson } from '../../interface/json.js'
import { operationOf } from '../execute/prepare-request.js'
import type { Tokens } from '../execute/tokens.js'
import type { Exchange, Transport } from '../execute/transport.js'
import { valueAt } from '../pointer.js'
import { TargetError } from '../target.js'

export interface Discovery {
  version: string | undefined
  participantId: string
  synchronizerIds: string[]
}

const administrator = 'participant_admin'

/** A call of the provisioning: who makes it, and with which body. */
export type Caller = (operation: string, body?: JsonValue, params?: Record<string, string>) => Promise<JsonValue>

/**
 * Calls support operations as the participant's administrator. Every call throws `TargetError` unless the target
 * answers with a success and JSON.
 */
export function administratorOf(transport: Transport, tokens: Tokens): Caller {
  return async (name, body, params = {}) => {
    const { method, path } = operationOf(name)
    const authorization = await tokens.header(administrator, undefined, new Map())
    const exchange = await transport.send(
      {
        method,
        path: path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
        headers: [
          ['accept', 'application/json'],
          ['content-type', 'application/json'],
          ...(authorization === undefined ? [] : ([['authorization', authorization]] satisfies [string, string][])),
        ],
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      },
      { step: name, purpose: 'probe' },
    )
    return successOf(name, exchange)
  }
}

function successOf(name: string, { evidence, received }: Exchange): JsonValue {
  const { url } = evidence.request
  if (!received) throw new TargetError(`${url}: ${evidence.problem?.message ?? 'no answer'}`)
  const text = received.body.toString('utf8')
  if (received.status < 200 || received.status > 299) {
    throw new TargetError(`${name} (${url}) was answered with ${received.status}: ${text.slice(0, 300)}`)
  }
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new TargetError(`${name} (${url}) was not answered with JSON`)
    throw error
  }
}

/** Throws `TargetError` when the target cannot be reached or is no participant. */
export async function discover(call: Caller, learned: (participantId: string) => void): Promise<Discovery> {
  const version = valueAt(await call('version'), '/version')
  const participantId = valueAt(await call('participant-id'), '/participantId')
  if (typeof participantId !== 'string') throw new TargetError('the target does not tell its participant id')
  learned(participantId)
  const connected = valueAt(await call('connected-synchronizers'), '/connectedSynchronizers')
  const synchronizerIds = (Array.isArray(connected) ? connected : [])
    .map((item) => valueAt(item, '/synchronizerId'))
    .filter((id) => typeof id === 'string')
  if (synchronizerIds.length === 0) throw new TargetError('the target is connected to no synchronizer')
  return { version: typeof version === 'string' ? version : undefined, participantId, synchronizerIds }
}
