import type { JsonObject } from '../../../lib/json/json.js'
import type { Control } from '../state/control.js'
import type { ControlRequest } from '../state/control-request.js'

/** One call of the control plane. */
export interface ControlCall {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/control`; `:name` for parameters. */
  path: string
  /** What it does, in one sentence without a full stop. */
  title: string
  /** Returns the body of the answer. Throws `ControlError`. */
  handle(control: Control, request: ControlRequest): JsonObject | Promise<JsonObject>
}
