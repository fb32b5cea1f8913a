import type { IncomingMessage } from 'node:http'

/** Bytes; the limit of the reference 3.5.10. */
export const usualBodyLimit = 8 * 1024 * 1024

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'

  constructor(limit: number) {
    super(`the entity exceeded size limit (${limit} bytes)`)
  }
}

/** The client disconnected or exceeded the time limit. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted'
}

/**
 * Drops the rest above `limit` bytes, for clients that send before they read; with `cutOff`, stops there. Rejects with
 * `BodyTooLarge`, `RequestAborted`.
 */
export function readBody(request: IncomingMessage, limit: number, cutOff?: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length <= limit) parts.push(part)
      else parts.length = 0
      if (length <= limit || !cutOff) return
      request.pause()
      cutOff()
      reject(new BodyTooLarge(limit))
    })
    request.on('end', () => {
      if (request.socket.writableEnded) reject(new RequestAborted())
      else if (length > limit) reject(new BodyTooLarge(limit))
      else resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    })
    request.on('error', () => reject(new RequestAborted()))
    request.on('close', () => {
      if (!request.readableEnded) reject(new RequestAborted())
    })
  })
}
