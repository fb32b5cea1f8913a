import type { JsonObject } from '../../../lib/json/json.js'
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
