/** Uses another WebSocket implementation than the simulator. */
import { once } from 'node:events'
import type { Test } from 'tap'
import { WebSocket } from 'undici'
import { type JsonValue, parseJson } from '../../lib/json/json.js'

export interface StreamEnd {
  code: number
  reason: string
  messages: JsonValue[]
}

export interface StreamClient {
  /** Rejects if the WebSocket closes. */
  next(): Promise<JsonValue>
  send(message: string | Uint8Array<ArrayBuffer>): void
  close(): void
  readonly ended: Promise<StreamEnd>
}

interface StreamOptions {
  /** Default: `daml.ws.auth`. */
  protocols?: string[]
  headers?: Record<string, string>
  request?: JsonValue
}

/** Rejects if the handshake fails. */
export async function openStream(
  t: Test,
  url: string,
  { protocols = ['daml.ws.auth'], headers = {}, request }: StreamOptions = {},
): Promise<StreamClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { protocols, headers })
  t.teardown(() => socket.close())
  const messages: JsonValue[] = []
  let taken = 0
  socket.addEventListener('message', ({ data }) => messages.push(parseJson(String(data))))
  const ended = new Promise<StreamEnd>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason, messages }))
  })
  const next = async (): Promise<JsonValue> => {
    while (messages.length <= taken) {
      const gone = await Promise.race([once(socket, 'message').then(() => undefined), ended])
      if (gone && messages.length <= taken) throw new Error(`closed with ${gone.code} ${gone.reason}`)
    }
    taken += 1
    return messages[taken - 1] ?? null
  }
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no WebSocket at ${url}`)))
  })
  if (request !== undefined) socket.send(JSON.stringify(request))
  return { next, ended, send: (message) => socket.send(message), close: () => socket.close() }
}
