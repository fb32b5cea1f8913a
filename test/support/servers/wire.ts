import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'

export interface WireRequest {
  /** Default: POST. */
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Without a length. */
  chunked?: boolean
}

export interface WireAnswer {
  url: string
  status: number
  /** Unchanged; null: absent. */
  contentType: string | null
  text: string
  /** Throws `JsonSyntaxError`. */
  json(): JsonValue
}

export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>
  post(path: string, body: JsonText, headers?: Record<string, string>): Promise<WireAnswer>
  close(): Promise<void>
}

/** Values for JSON.stringify. */
type JsonText = string | number | boolean | null | object

export function connect(url: string, connections = 4): Wire {
  // No time limits: the test runner ends a hanging test.
  const pool = new Pool(url, { connections, headersTimeout: 0, bodyTimeout: 0 })
  const send = async (request: WireRequest): Promise<WireAnswer> => {
    const { method = 'POST', path, headers = {}, body, chunked = false } = request
    const answer = await pool.request({
      method: method as Dispatcher.HttpMethod, // the type lists the usual ones, but any token may be sent
      path,
      headers,
      ...(body !== undefined && { body: chunked ? Readable.from([body]) : body }),
    })
    const text = await answer.body.text()
    const contentType = answer.headers['content-type']
    return {
      url,
      status: answer.statusCode,
      contentType: typeof contentType === 'string' ? contentType : null,
      text,
      json: () => parseJson(text),
    }
  }
  const post = (path: string, body: JsonText, headers: Record<string, string> = {}): Promise<WireAnswer> =>
    send({ path, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  return { send, post, close: () => pool.close() }
}
