import { type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { ControlCall } from './calls/call.js'
import type { Control } from './state/control.js'

interface InterceptedRequest {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A string is sent unchanged. */
  body?: JsonValue
}

/** Rejects with `ControlError` and `StateError`. */
export type AskControl = (call: ControlCall, request?: InterceptedRequest) => Promise<JsonObject>

/** Control calls without a network. */
export const askControl =
  (control: Control): AskControl =>
  async (call, { params = {}, query = {}, body } = {}) => {
    const bytes = Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : printJson(body))
    return call.handle(control, { params, query: new URLSearchParams(query), body: bytes })
  }
