import { suggestion } from '../../../lib/suggest.js'

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

/** `kind`: for example "rule" for `UNKNOWN_RULE`. */
export function unknownName(code: ControlErrorCode, kind: string, name: string, known: Iterable<string>): ControlError {
  const hint = suggestion(name, known) ?? 'none exists'
  return new ControlError(code, `unknown ${kind} ${JSON.stringify(name.slice(0, 200))}; ${hint}`)
}

/** Throws `ControlError`. */
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
