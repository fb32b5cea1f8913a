import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

const usual = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': 'daml.ws.auth',
}

interface Handshake {
  method?: string
  /** Undefined: omitted. */
  headers?: Record<string, string | undefined>
}

const started = (url: string, { method = 'GET', headers = {} }: Handshake): ClientRequest => {
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined)
  return request(url, { method, headers: Object.fromEntries(all), agent: false })
}

export const refusedHandshake = (url: string, handshake: Handshake): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const answered = async (response: IncomingMessage): Promise<void> =>
      resolve({ status: response.statusCode ?? 0, text: await text(response) })
    const call = started(url, handshake)
    call.on('response', (response) => void answered(response).catch(reject))
    call.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve({ status: 101, text: '' })
    })
    call.on('error', reject).end()
  })

export const rawSocket = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const call = started(url, {})
    call.on('upgrade', (_, socket: Socket) => resolve(socket))
    call.on('response', ({ statusCode }) => reject(new Error(`no WebSocket, but ${statusCode}`)))
    call.on('error', reject).end()
  })

/** Undefined: no close frame. */
export async function closeCode(socket: Socket): Promise<number | undefined> {
  let received = Buffer.alloc(0)
  for await (const part of socket) {
    received = Buffer.concat([received, part as Buffer]) // without an encoding
    const code = closeCodeIn(received)
    if (code !== undefined) return code
  }
  return undefined
}

function closeCodeIn(frames: Buffer): number | undefined {
  let rest = frames
  while (rest.length >= 2) {
    const [first = 0, short = 0] = rest
    const head = { 126: 4, 127: 10 }[short] ?? 2
    if (rest.length < head + 2) return undefined
    if ((first & 0xf) === 8) return rest.readUInt16BE(head)
    const length = head === 4 ? rest.readUInt16BE(2) : head === 10 ? Number(rest.readBigUInt64BE(2)) : short
    rest = rest.subarray(head + length)
  }
  return undefined
}

/** `length`: an incorrect length field. */
export function frame(
  opcode: number,
  payload: string | Buffer,
  { masked = true, final = true, length = -1 } = {},
): Buffer {
  const bytes = Buffer.from(payload)
  const claimed = length < 0 ? bytes.length : length
  const head = Buffer.alloc(claimed < 126 ? 2 : 10)
  head[0] = (final ? 0x80 : 0) | opcode
  head[1] = (masked ? 0x80 : 0) | (claimed < 126 ? claimed : 127)
  if (claimed >= 126) head.writeBigUInt64BE(BigInt(claimed), 2)
  // A mask of zeros keeps the bytes.
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), bytes])
}
