/** A fault: what happens to some calls of an operation on their way through the network. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { excerpt, isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import {
  absentable,
  anything,
  type Decoder,
  int64,
  mapped,
  members,
  oneOf,
  optional,
  required,
  text,
} from '../../json/decode.js'
import { ControlError, requireKnown } from './control-error.js'
import { type ControlRequest, decodeControlBody, exactly } from './control-request.js'

/** `request`: before the operation runs. `answer`: when it has taken effect. */
type InjectionPoint = 'request' | 'answer'

/** By their names in lower case. */
type Headers = Readonly<Record<string, string>>

export type Fault =
  | { kind: 'delay'; milliseconds: number; at: InjectionPoint }
  /** Another answer than the operation's; without a body, the usual words for the status. */
  | { kind: 'status'; status: number; body: JsonValue | undefined; headers: Headers | undefined; at: InjectionPoint }
  /** The connection is reset. */
  | { kind: 'reset'; at: InjectionPoint }
  /** The connection ends after so many bytes of the body; without a number, after half of them. */
  | { kind: 'truncate'; bytes: number | undefined; at: 'answer' }
  /** As many bytes as the body has, and no JSON among them. */
  | { kind: 'garbage'; at: 'answer' }

/** Which calls it is injected into, counted from when the fault is set. */
export interface Trigger {
  /** Only calls whose body has these values at these JSON pointers. */
  match: JsonObject | undefined
  every: number | undefined
  next: number | undefined
}

export interface FaultSetting {
  fault: Fault
  /** As it came: a name, a path, or method and path; undefined stands for every operation. */
  operation: string | undefined
  trigger: Trigger
}

const longest = 2 ** 31 - 1

/** A whole number from `least` to `most`. */
const between = (least: number, most: number): Decoder<number> => {
  return (value, path, problems) => {
    const number = Number(mapped(int64, Number)(value, path, { lenient: false, add: () => undefined }))
    if (number >= least && number <= most) return number
    problems.add(`expected a whole number from ${least} to ${most}, not ${excerpt(value, 40)}`, path)
    return undefined
  }
}

/** Values by the JSON pointers (RFC 6901) that lead to them. */
const values: Decoder<JsonObject> = (value, path, problems) => {
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    problems.add('expected an object with at least one JSON pointer', path)
    return undefined
  }
  for (const pointer of Object.keys(value)) {
    if (/^(?:\/(?:[^~/]|~[01])*)*$/.test(pointer)) continue
    problems.add(`${excerpt(pointer, 100)} is not a JSON pointer; expected a form such as /actAs/0`, path)
    return undefined
  }
  return value
}

/** Headers on which it depends where an answer ends. */
const framing = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/

const headers: Decoder<Headers> = (value, path, problems) => {
  if (!isJsonObject(value)) {
    problems.add('expected an object with names and values of headers', path)
    return undefined
  }
  const found = Object.entries(value).map(([name, item]): [string, string] => [
    name.toLowerCase(),
    typeof item === 'number' ? String(item) : typeof item === 'string' ? item : '\n',
  ])
  for (const [name, item] of found) {
    const problem = headerProblem(name, item)
    if (problem === undefined) continue
    problems.add(problem, path)
    return undefined
  }
  return Object.fromEntries(found)
}

function headerProblem(name: string, value: string): string | undefined {
  if (framing.test(name)) return `the simulator sets the header ${name} itself`
  try {
    validateHeaderName(name)
  } catch {
    return `${excerpt(name, 100)} cannot be the name of a header`
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    return `the value of ${name} has to be a number or a string that a header can have`
  }
  return undefined
}

const count = absentable(between(1, longest))
const common = {
  ...{ kind: required(text), operation: absentable(text), match: absentable(values) },
  ...{ every: count, next: count },
}
const withPoint = { ...common, at: optional(oneOf(['request', 'answer'] as const), 'request') }

const shapes = {
  delay: exactly({ ...withPoint, milliseconds: required(between(1, 600_000)) }),
  status: exactly({
    ...withPoint,
    status: required(between(400, 599)),
    body: absentable(anything),
    headers: absentable(headers),
  }),
  reset: exactly(withPoint),
  truncate: exactly({ ...common, bytes: absentable(between(0, longest)) }),
  garbage: exactly(common),
}
const kinds = Object.keys(shapes) as Fault['kind'][] // the keys of the table above

/** Reads what fault is to be set. Throws `ControlError`. */
export function decodeFault(request: ControlRequest): FaultSetting {
  const { kind: given } = decodeControlBody(members({ kind: required(text) }), request)
  const kind = requireKnown('UNKNOWN_FAULT_KIND', 'kind of fault', given, kinds)
  switch (kind) {
    case 'delay': {
      const { milliseconds, at, ...rest } = decodeControlBody(shapes.delay, request)
      return settingOf({ kind, milliseconds, at }, rest)
    }
    case 'status': {
      const { status, body, headers, at, ...rest } = decodeControlBody(shapes.status, request)
      return settingOf({ kind, status, body, headers, at }, rest)
    }
    case 'reset': {
      const { at, ...rest } = decodeControlBody(shapes.reset, request)
      return settingOf({ kind, at }, rest)
    }
    case 'truncate': {
      const { bytes, ...rest } = decodeControlBody(shapes.truncate, request)
      return settingOf({ kind, bytes, at: 'answer' }, rest)
    }
    case 'garbage':
      return settingOf({ kind, at: 'answer' }, decodeControlBody(shapes.garbage, request))
  }
}

function settingOf(
  fault: Fault,
  { operation, match, every, next }: Trigger & Pick<FaultSetting, 'operation'>,
): FaultSetting {
  if (every !== undefined && next !== undefined) {
    throw new ControlError('INVALID_BODY', '`every` and `next` exclude each other: every nth call, or the next n calls')
  }
  return { fault, operation, trigger: { match, every, next } }
}
