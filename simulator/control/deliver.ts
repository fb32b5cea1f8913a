/** What becomes of an answer on its way back. */
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { printJson } from '../../interface/json.js'
import { type Answer, bytesOf, contentTypes, printBody, send } from '../http/answer.js'
import type { Fault } from './fault.js'

/** Sends what the fault leaves of an answer. */
export function deliver(response: ServerResponse, answer: Answer, fault: Fault | undefined): void {
  if (response.headersSent || response.destroyed) return
  if (fault?.kind === 'reset') resetConnection(response)
  else if (fault?.kind === 'truncate') truncate(response, answer, fault.bytes)
  else if (fault?.kind === 'garbage') garble(response, answer)
  else send(response, answer)
}

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

/** The answer that stands in for that of an operation. */
export function standIn({ status, body, headers: given = {} }: Extract<Fault, { kind: 'status' }>): Answer {
  const { 'content-type': named, ...headers } = given
  const isJson = body !== undefined && typeof body !== 'string'
  const text = isJson ? printJson(body) : (body ?? STATUS_CODES[status] ?? 'Error')
  return { status, text, type: named ?? (isJson ? contentTypes.json : contentTypes.text), headers }
}

/** Announces the whole body, sends a part of it and closes the connection. */
function truncate(response: ServerResponse, answer: Answer, kept: number | undefined): void {
  const { type, bytes } = bodyOf(answer)
  const length = Math.max(bytes.length, 1)
  response.writeHead(answer.status, { ...(type !== null && { 'content-type': type }), 'content-length': length })
  const part = bytes.subarray(0, Math.min(kept ?? Math.floor(length / 2), length - 1))
  response.write(part, () => response.socket?.destroySoon())
}

/** An opening brace, and bytes that are no UTF-8. */
const nonsense = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28])

function garble(response: ServerResponse, answer: Answer): void {
  const { type, bytes } = bodyOf(answer)
  const garbage = Buffer.alloc(Math.max(bytes.length, nonsense.length), nonsense)
  response.writeHead(answer.status, {
    ...(type !== null && { 'content-type': type }),
    'content-length': garbage.length,
  })
  response.end(garbage)
}

function bodyOf(answer: Answer): { type: string | null; bytes: Buffer } {
  const body = printBody(answer) ?? { type: 'text/plain; charset=UTF-8', content: '' }
  return { type: body.type, bytes: bytesOf(body) }
}
