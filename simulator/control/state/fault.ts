import { validateHeaderValue } from 'node:http'
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

/** Names are in lower case. */
type HeaderValues = Readonly<Record<string, string>>

export type Fault =
  | { kind: 'delay'; milliseconds: number; at: InjectionPoint }
  /** The default body is the name of the status. */
  | {
      kind: 'status'
      status: number
      body: JsonValue | undefined
      headers: HeaderValues | undefined
      at: InjectionPoint
    }
  | { kind: 'reset'; at: InjectionPoint }
  /** Closes the connection after `bytes`, by default after half of the body. */
  | { kind: 'truncate'; bytes: number | undefined; at: 'answer' }
  /** Invalid JSON of the same length. */
  | { kind: 'garbage'; at: 'answer' }

/** The calls that a fault affects. */
interface Trigger {
  /** A name, a path, or both method and path; undefined: all. */
  operation: string | undefined
  /** By JSON pointer. */
  match: JsonObject | undefined
  /** Counted from the creation of the fault. */
  every: number | undefined
  next: number | undefined
}

export interface FaultSetting {
  fault: Fault
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

const headers: Decoder<HeaderValues> = (value, path, problems) => {
  const found = isJsonObject(value) ? validHeaders(value) : undefined
  if (found) return found
  const own = 'the simulator sets connection headers and the length itself'
  problems.add(`expected an object with valid header names and values; ${own}`, path)
  return undefined
}

function validHeaders(given: JsonObject): HeaderValues | undefined {
  const pairs = Object.entries(given)
  if (pairs.some(([, item]) => typeof item !== 'number' && typeof item !== 'string')) return undefined
  try {
    const found = Object.fromEntries(new Headers(pairs.map(([name, item]) => [name, String(item)])))
    // `Headers` permits control characters, with which Node sends no answer.
    for (const [name, item] of Object.entries(found)) validateHeaderValue(name, item)
    return Object.keys(found).some((name) => framing.test(name)) ? undefined : found
  } catch {
    return undefined
  }
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

interface FaultBody extends Trigger {
  at?: InjectionPoint
}

/** Throws `ControlError`. */
export function decodeFault(request: ControlRequest): FaultSetting {
  const { kind: given } = decodeControlBody(members({ kind: required(text) }), request)
  const kind = requireKnown('UNKNOWN_FAULT_KIND', 'kind of fault', given, kinds)
  const { operation, match, every, next, at = 'answer', ...own } = decodeControlBody<FaultBody>(shapes[kind], request)
  if (every !== undefined && next !== undefined) {
    throw new ControlError('INVALID_BODY', '`every` and `next` exclude each other: every nth call, or the next n calls')
  }
  const fault = { ...own, kind, at } as Fault // `own` has the members of this kind
  return { fault, trigger: { operation, match, every, next } }
}
