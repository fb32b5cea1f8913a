import { type JsonObject, type JsonValue, printJson } from '../../../lib/json/json.js'
import type { Control } from '../state/control.js'
import type { ControlRequest } from '../state/control-request.js'

export interface ControlCall {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/control`; `:name` for parameters. */
  path: string
  /** Without a full stop. */
  title: string
  /** Throws `ControlError`. */
  handle(control: Control, request: ControlRequest): JsonObject | Promise<JsonObject>
}

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
