import { type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { ControlCall } from './calls/call.js'
import type { Control } from './state/control.js'

interface InterceptedRequest {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A text goes as it is. */
  body?: JsonValue
}

/** Makes one call and resolves to the body of its answer. Rejects with `ControlError`, and with `StateError` where a state is given. */
export type AskControl = (call: ControlCall, asked?: InterceptedRequest) => Promise<JsonObject>

/** The calls as they come over the network, read and refused the same way, but without one. */
export const askControl =
  (control: Control): AskControl =>
  async (call, { params = {}, query = {}, body } = {}) => {
    const bytes = Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : printJson(body))
    return call.handle(control, { params, query: new URLSearchParams(query), body: bytes })
  }
