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
import { ControlError, type ControlRequest, decodeControlBody, exactly, requireKnown } from './control-request.js'

/** Before the operation runs, or after it took effect. */
type InjectionPoint = 'request' | 'answer'

/** Lower case. */
type Headers = Readonly<Record<string, string>>

export type Fault =
  | { kind: 'delay'; milliseconds: number; at: InjectionPoint }
  /** The default body is the name of the status. */
  | { kind: 'status'; status: number; body: JsonValue | undefined; headers: Headers | undefined; at: InjectionPoint }
  | { kind: 'reset'; at: InjectionPoint }
  /** Closes the connection after `bytes`, by default after half of the body. */
  | { kind: 'truncate'; bytes: number | undefined; at: 'answer' }
  /** Invalid JSON of the same length. */
  | { kind: 'garbage'; at: 'answer' }

/** Counted from the creation of the fault. */
export interface Trigger {
  /** By JSON pointer. */
  match: JsonObject | undefined
  every: number | undefined
  next: number | undefined
}

export interface FaultSetting {
  fault: Fault
  /** A name, a path, or both method and path; undefined: all. */
  operation: string | undefined
  trigger: Trigger
}

const longest = 2 ** 31 - 1

const between = (least: number, most: number): Decoder<number> => {
  return (value, path, problems) => {
    const number = Number(mapped(int64, Number)(value, path, { has: () => false, add: () => undefined }))
    if (number >= least && number <= most) return number
    problems.add(`expected a whole number from ${least} to ${most}, not ${excerpt(value, 40)}`, path)
    return undefined
  }
}

/** By JSON pointer (RFC 6901). */
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

/** They determine the end of an answer. */
const framing = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/

const headers: Decoder<Headers> = (value, path, problems) => {
  if (!isJsonObject(value)) {
    problems.add('expected an object with header names and values', path)
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
    return `${excerpt(name, 100)} is not a valid header name`
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    return `the value of ${name} must be a number or a valid header value`
  }
  return undefined
}

const count = absentable(between(1, longest))
const common = {
  kind: required(text),
  operation: absentable(text),
  match: absentable(values),
  every: count,
  next: count,
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
const kinds = Object.keys(shapes) as Fault['kind'][] // the keys of `shapes`

type FaultBody = Trigger & Pick<FaultSetting, 'operation'> & { at?: InjectionPoint }

/** Throws `ControlError`. */
export function decodeFault(request: ControlRequest): FaultSetting {
  const { kind: given } = decodeControlBody(members({ kind: required(text) }), request)
  const kind = requireKnown('UNKNOWN_FAULT_KIND', 'kind of fault', given, kinds)
  const { operation, match, every, next, at = 'answer', ...own } = decodeControlBody<FaultBody>(shapes[kind], request)
  if (every !== undefined && next !== undefined) {
    throw new ControlError('INVALID_BODY', '`every` and `next` exclude each other: every nth call, or the next n calls')
  }
  const fault = { ...own, kind, at } as Fault // `own` has the members of this kind
  return { fault, operation, trigger: { match, every, next } }
}
