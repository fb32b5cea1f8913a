import { operations, supportOperations } from '../../interface/operations.js'
import { readInput } from '../../lib/files/read-input.js'
import { excerpt, isJsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import type { Tokens } from '../execute/tokens.js'
import { type Answer, answerOf } from '../judge/answer.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { stringAt } from '../template/pointer.js'
import type { Transport } from '../transport/transport.js'

/** Characters: twice the longest value in contracts of rows. */
const longestString = 2 * 1024 * 1024

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

/** Parameters outside the path go into the query. `received` also receives failed exchanges. */
export type Caller = (
  operation: keyof typeof callable,
  body?: JsonValue,
  params?: Record<string, string>,
  received?: (evidence: Evidence) => void,
) => Promise<JsonValue>

/** `archive`: path of a DAR. */
export type Uploader = (archive: string, query: Record<string, string>) => Promise<void>

/** A call throws `TokenRejected` for 401, `TargetRejection` for other statuses outside 2xx, and `TargetError` without JSON. */
export function callerAs(
  user: string,
  transport: Transport,
  tokens: Tokens,
  role: 'arrange' | 'restore' = 'arrange',
): Caller {
  return async (name, body, params = {}, received) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body))
    const headers = await headersFor(user, 'application/json', tokens)
    const request = { method: callable[name].method, path: pathOf(name, params), headers, body: bytes }
    const evidence = await transport.send(request, { step: 0, role })
    received?.(evidence)
    return successOf(name, user, evidence)
  }
}

/** `read`: the bytes of an archive, or nothing if a record answers. */
export function uploaderAs(
  user: string,
  transport: Transport,
  tokens: Tokens,
  read: (archive: string) => Promise<Buffer | undefined> = (archive) => readInput(archive, 'a DAR'),
): Uploader {
  const name = 'upload-dar'
  return async (archive, query) => {
    const body = await read(archive)
    const headers = await headersFor(user, 'application/octet-stream', tokens)
    const request = { method: callable[name].method, path: pathOf(name, query), headers, body }
    successOf(name, user, await transport.send(request, { step: 0, role: 'arrange' }))
  }
}

function pathOf(name: keyof typeof callable, params: Readonly<Record<string, string>>): string {
  const { path } = callable[name]
  const inQuery = Object.entries(params).filter(([key]) => !path.includes(`{${key}}`))
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  return inQuery.length === 0 ? filled : `${filled}?${new URLSearchParams(inQuery)}`
}

async function headersFor(user: string, type: string, tokens: Tokens): Promise<[string, string][]> {
  const authorization = await tokens.header(user, undefined, new Map()).catch((error: unknown) => {
    throw error instanceof CredentialError ? new TargetError(error.message) : error
  })
  return [
    ['accept', 'application/json'],
    ['content-type', type],
    ...(authorization === undefined ? [] : ([['authorization', authorization]] satisfies [string, string][])),
  ]
}

const refusalOf = (name: string, { request }: Evidence, answer: Answer): string =>
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
    throw new TargetRejection(answer.status, message, stringAt(answer.json, '/code'), evidence, name)
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
