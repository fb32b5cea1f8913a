/** Asks the target what it is, through operations that every participant has. */
import { excerpt, type JsonValue, printJson } from '../../interface/json.js'
import { supportOperations } from '../../interface/operations.js'
import type { Evidence } from '../../record/record.js'
import type { Tokens } from '../execute/tokens.js'
import type { Transport } from '../execute/transport.js'
import { answerOf } from '../judge/answer.js'
import { valueAt } from '../template/pointer.js'
import { makeSigningKey } from '../sign/signing-key.js'
import { TargetError } from '../target/target.js'
import { proposesTopology } from './proposed-topology.js'

export interface Discovery {
  version: string | undefined
  participantId: string
  synchronizerIds: string[]
  /** Parties can sign for themselves: the target proposes a topology for one; or why nobody asked. */
  externalParties: boolean | string
}

/** The user that every participant begins with. */
export const administrator = 'participant_admin'

type SupportName = keyof typeof supportOperations

/** A call of the provisioning: who makes it, and with which body. */
export type Caller = (operation: SupportName, body?: JsonValue, params?: Record<string, string>) => Promise<JsonValue>

/** Uploads an archive of packages; the query says what is to be done with it. */
export type Uploader = (archive: Buffer, query: Record<string, string>) => Promise<void>

/** Calls support operations as this user. Every call throws `TargetError` unless the target answers with a success and JSON. */
export function callerAs(user: string, transport: Transport, tokens: Tokens): Caller {
  return async (name, body, params = {}) => {
    const path = supportOperations[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body))
    return successOf(name, await send(name, { user, path, type: 'application/json', bytes }, transport, tokens))
  }
}

/** The same for archives. */
export function uploaderAs(user: string, transport: Transport, tokens: Tokens): Uploader {
  const name = 'upload-dar'
  return async (bytes, query) => {
    const path = `${supportOperations[name].path}?${new URLSearchParams(query)}`
    successOf(name, await send(name, { user, path, type: 'application/octet-stream', bytes }, transport, tokens))
  }
}

interface Sending {
  user: string
  path: string
  type: string
  bytes: Buffer | undefined
}

async function send(
  name: SupportName,
  { user, path, type, bytes }: Sending,
  transport: Transport,
  tokens: Tokens,
): Promise<Evidence> {
  const authorization = await tokens.header(user, undefined, new Map())
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ['content-type', type],
    ...(authorization === undefined ? [] : ([['authorization', authorization]] satisfies [string, string][])),
  ]
  const request = { method: supportOperations[name].method, path, headers, body: bytes }
  return transport.send(request, { step: 0, role: 'arrange' })
}

function successOf(name: string, evidence: Evidence): JsonValue {
  const { request, response, problem } = evidence
  const answer = answerOf(evidence)
  if (!response || !answer) throw new TargetError(`${request.url}: ${problem?.message ?? 'no answer'}`)
  const called = `${name} (${request.url})`
  if (answer.status < 200 || answer.status > 299) {
    const told = excerpt(response.body.text ?? '', 300)
    throw new TargetError(`${called} was answered with ${answer.status}: ${told}`)
  }
  if (answer.json === undefined) throw new TargetError(`${called} was not answered with JSON`)
  return answer.json
}

/** `unreachable`: operations that are not called. Throws `TargetError` when the target cannot be reached or is no participant. */
export async function discover(
  call: Caller,
  unreachable: ReadonlySet<string>,
  learned: (participantId: string) => void,
): Promise<Discovery> {
  const version = valueAt(await call('version'), '/version')
  const participantId = valueAt(await call('participant-id'), '/participantId')
  if (typeof participantId !== 'string') throw new TargetError('the target does not tell its participant id')
  learned(participantId)
  const connected = valueAt(await call('connected-synchronizers'), '/connectedSynchronizers')
  const synchronizerIds = (Array.isArray(connected) ? connected : [])
    .map((item) => valueAt(item, '/synchronizerId'))
    .filter((id) => typeof id === 'string')
  const [synchronizer] = synchronizerIds
  if (synchronizer === undefined) throw new TargetError('the target is connected to no synchronizer')
  return {
    version: typeof version === 'string' ? version : undefined,
    participantId,
    synchronizerIds,
    externalParties:
      withoutOnboarding(unreachable) ??
      (await proposesTopology(synchronizer, makeSigningKey('ed25519').publicKey, call)),
  }
}

/** What it takes to make a party that signs for itself. */
const onboarding = ['generate-external-topology', 'allocate-external-party']

function withoutOnboarding(unreachable: ReadonlySet<string>): string | undefined {
  const missing = onboarding.find((name) => unreachable.has(name))
  return missing && `the target file says that ${missing} cannot be reached, so that nobody asked`
}
