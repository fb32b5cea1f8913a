import { suggestion } from '../../../lib/suggest.js'

/** Why a call of the control plane is refused. */
export type ControlErrorCode =
  | 'UNKNOWN_CALL'
  | 'METHOD_NOT_ALLOWED'
  | 'INVALID_BODY'
  | 'INVALID_QUERY'
  | 'UNKNOWN_BEHAVIOUR'
  | 'UNKNOWN_SWITCH_POINT'
  | 'UNKNOWN_RULE'
  | 'UNKNOWN_OPERATION'
  | 'UNKNOWN_FAULT'
  | 'UNKNOWN_FAULT_KIND'
  | 'TOO_MANY_FAULTS'
  | 'TIME_OUT_OF_RANGE'
  | 'UNKNOWN_SNAPSHOT'
  | 'INVALID_NAME'
  | 'TOO_MANY_SNAPSHOTS'

const statuses: Partial<Record<ControlErrorCode, number>> = {
  METHOD_NOT_ALLOWED: 405,
  TOO_MANY_FAULTS: 409,
  TOO_MANY_SNAPSHOTS: 409,
}

/** A refusal of the control plane. Everything else that is thrown there is a fault of the simulator. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ControlErrorCode

  constructor(code: ControlErrorCode, message: string) {
    super(message)
    this.code = code
  }

  get status(): number {
    return statuses[this.code] ?? (this.code.startsWith('UNKNOWN_') ? 404 : 400)
  }
}

/** The refusal of a name that is none of the known ones, with the nearest of them; `kind` as in `UNKNOWN_RULE` and "rule". */
export function unknownName(code: ControlErrorCode, kind: string, name: string, known: Iterable<string>): ControlError {
  const hint = suggestion(name, known) ?? 'there is none yet'
  return new ControlError(code, `there is no ${kind} ${JSON.stringify(name.slice(0, 200))}; ${hint}`)
}

/** The known name that is meant. Throws `ControlError`. */
export function requireKnown<Name extends string>(
  code: ControlErrorCode,
  kind: string,
  name: string,
  known: readonly Name[],
): Name {
  const found = known.find((item) => item === name)
  if (found === undefined) throw unknownName(code, kind, name, known)
  return found
}
