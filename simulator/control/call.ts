import type { JsonObject } from '../../interface/json.js'
import type { Control } from './control.js'
import type { ControlRequest } from './control-request.js'

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
