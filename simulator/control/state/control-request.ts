import { isJsonObject, JsonSyntaxError, parseJson } from '../../../lib/json/json.js'
import { suggestion } from '../../../lib/suggest.js'
import { PlainRefusal } from '../../base/errors.js'
import { type Decoded, type Decoder, decodeBody, type MemberTypes, members } from '../../json/decode.js'

type ControlErrorCode =
  | 'UNKNOWN_CALL'
  | 'METHOD_NOT_ALLOWED'
  | 'INVALID_BODY'
  | 'INVALID_QUERY'
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

/** `kind`: for example "operation" for `UNKNOWN_OPERATION`. */
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

export interface ControlRequest {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Buffer
}

/** An empty body counts as `{}`. Throws `ControlError`. */
export function decodeControlBody<T>(decoder: Decoder<T>, { body }: ControlRequest): T {
  try {
    return decodeBody(decoder, body.length === 0 ? {} : parseJson(body.toString('utf8')), () => false)
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof PlainRefusal) {
      throw new ControlError('INVALID_BODY', error.message)
    }
    throw error
  }
}

/** Rejects unknown members. */
export function exactly<M extends MemberTypes>(types: M): Decoder<Decoded<M>> {
  const decode = members(types)
  return (value, path, problems) => {
    if (!isJsonObject(value)) {
      problems.add('expected a JSON object', path)
      return undefined
    }
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(types, name))
    for (const name of unknown) {
      problems.add(`unknown member ${JSON.stringify(name)}; ${suggestion(name, Object.keys(types))}`, path)
    }
    return unknown.length === 0 ? decode(value, path, problems) : undefined
  }
}
