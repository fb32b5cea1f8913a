/** Calls operations of the target for the run itself, as a user. */

import { type OperationName, operations, type SupportName, supportOperations } from '../../interface/operations.js'
import { excerpt, isJsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import type { Tokens } from '../execute/tokens.js'
import { type Answer, answerOf } from '../judge/answer.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Transport } from '../transport/transport.js'

// What a run makes its requests of must be of a size with which it can go on: an id of megabytes would be in every request.

/** Characters of the longest text: twice the longest value that rows make contracts with, and so find in what the ledger tells. */
const longestText = 2 * 1024 * 1024

/** Throws `TargetError` where the answer has a longer text. */
function expectUsable(called: string, answer: JsonValue, length: number): void {
  if (length <= longestText) return
  const open: JsonValue[] = [answer]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) open.push(name, member)
    else if (typeof value === 'string' && value.length > longestText)
      throw new TargetError(
        `${called} was answered with a text of ${value.length} characters, and no id or value of that length can be gone on with`,
      )
  }
}

const callable = { ...supportOperations, ...operations }

type CallName = SupportName | OperationName

/**
 * A call of the provisioning: which operation, with which body. Params that have no place in the path stand in the query. `received`
 * gets the exchange, also where the answer is no success.
 */
export type Caller = (
  operation: CallName,
  body?: JsonValue,
  params?: Record<string, string>,
  received?: (evidence: Evidence) => void,
) => Promise<JsonValue>

/** Uploads an archive of packages; the query says what is to be done with it. */
export type Uploader = (archive: Buffer, query: Record<string, string>) => Promise<void>

/** Calls support operations as this user; `role` says why. Every call throws `TargetError` unless the target answers with a success and JSON: `TargetRefusal` for another status, `TokenRefused` for 401. */
export function callerAs(user: string, transport: Transport, tokens: Tokens, role: CallRole = 'arrange'): Caller {
  return async (name, body, params = {}, received) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body))
    const sending = { user, path: pathOf(name, params), type: 'application/json', bytes, role }
    const evidence = await send(name, sending, transport, tokens)
    received?.(evidence)
    return successOf(name, user, evidence)
  }
}

/** The same for archives. */
export function uploaderAs(user: string, transport: Transport, tokens: Tokens): Uploader {
  const name = 'upload-dar'
  return async (bytes, query) => {
    const path = `${callable[name].path}?${new URLSearchParams(query)}`
    const sending = { user, path, type: 'application/octet-stream', bytes, role: 'arrange' as const }
    successOf(name, user, await send(name, sending, transport, tokens))
  }
}

type CallRole = 'arrange' | 'restore'

function pathOf(name: CallName, params: Readonly<Record<string, string>>): string {
  const { path } = callable[name]
  const inQuery = Object.entries(params).filter(([key]) => !path.includes(`{${key}}`))
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  return inQuery.length === 0 ? filled : `${filled}?${new URLSearchParams(inQuery)}`
}

interface Sending {
  user: string
  path: string
  type: string
  bytes: Buffer | undefined
  role: CallRole
}

async function send(
  name: CallName,
  { user, path, type, bytes, role }: Sending,
  transport: Transport,
  tokens: Tokens,
): Promise<Evidence> {
  const authorization = await tokens.header(user, undefined, new Map()).catch((error: unknown) => {
    throw error instanceof CredentialError ? new TargetError(error.message) : error
  })
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ['content-type', type],
    ...(authorization === undefined ? [] : ([['authorization', authorization]] satisfies [string, string][])),
  ]
  const request = { method: callable[name].method, path, headers, body: bytes }
  return transport.send(request, { step: 0, role })
}

/** A call that the target refused, as a sentence. */
export const refusalOf = (name: string, { request }: Evidence, answer: Answer): string =>
  `${name} (${request.url}) was answered with ${answer.status}${toldBy(answer)}`

function successOf(name: string, user: string, evidence: Evidence): JsonValue {
  const { request, response, problem } = evidence
  const answer = answerOf(evidence)
  if (!response || !answer) throw new TargetError(`${request.url}: ${problem?.message ?? 'no answer'}`)
  const called = `${name} (${request.url})`
  if (answer.status < 200 || answer.status > 299) {
    const message = refusalOf(name, evidence, answer)
    const hadToken = request.headers.some(([header]) => header === 'authorization')
    if (answer.status === 401) throw new TokenRejected(user, hadToken, message)
    const code = valueAt(answer.json ?? null, '/code')
    throw new TargetRejection(answer.status, message, typeof code === 'string' ? code : undefined, evidence)
  }
  if (answer.json === undefined) throw new TargetError(`${called} was not answered with JSON`)
  expectUsable(called, answer.json, answer.text.length)
  return answer.json
}

function toldBy({ status, text, header }: Answer): string {
  const elsewhere = status >= 300 && status < 400 ? header('location') : undefined
  if (elsewhere !== undefined) return `, a redirect to ${excerpt(elsewhere, 300)}: give as the target where that leads`
  return `: ${excerpt(text, 300)}`
}
