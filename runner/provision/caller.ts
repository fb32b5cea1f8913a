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

/** Characters: twice the longest value in contracts of rows. Longer ids would fill every request. */
const longestString = 2 * 1024 * 1024

/** Throws `TargetError` if the answer contains a longer string. */
function expectUsable(called: string, answer: JsonValue, length: number): void {
  if (length <= longestString) return
  const open: JsonValue[] = [answer]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) open.push(name, member)
    else if (typeof value === 'string' && value.length > longestString)
      throw new TargetError(
        `${called} returned a string of ${value.length} characters. The runner supports at most ${longestString}.`,
      )
  }
}

const callable = { ...supportOperations, ...operations }

type CallName = SupportName | OperationName

/** Parameters outside the path go into the query. `received` gets every exchange, also failed ones. */
export type Caller = (
  operation: CallName,
  body?: JsonValue,
  params?: Record<string, string>,
  received?: (evidence: Evidence) => void,
) => Promise<JsonValue>

/** Uploads a package archive. */
export type Uploader = (archive: Buffer, query: Record<string, string>) => Promise<void>

/**
 * Calls operations as this user. A call throws `TokenRefused` for 401, `TargetRefusal` for any other status outside 2xx, and
 * `TargetError` without a JSON answer.
 */
export function callerAs(user: string, transport: Transport, tokens: Tokens, role: CallRole = 'arrange'): Caller {
  return async (name, body, params = {}, received) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body))
    const sending = { user, path: pathOf(name, params), type: 'application/json', bytes, role }
    const evidence = await send(name, sending, transport, tokens)
    received?.(evidence)
    return successOf(name, user, evidence)
  }
}

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

/** For messages: the call and the status. */
export const refusalOf = (name: string, { request }: Evidence, answer: Answer): string =>
  `${name} (${request.url}) returned ${answer.status}${bodyInWords(answer)}`

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
  if (answer.json === undefined) throw new TargetError(`${called} returned no JSON`)
  expectUsable(called, answer.json, answer.text.length)
  return answer.json
}

function bodyInWords({ status, text, header }: Answer): string {
  const location = status >= 300 && status < 400 ? header('location') : undefined
  if (location !== undefined) return `, a redirect to ${excerpt(location, 300)}. Use that location as the target.`
  return `: ${excerpt(text, 300)}`
}
