/** From a step of a suite to the bytes of a request. */
import { type JsonValue, printJson } from '../../interface/json.js'
import { type Operation, operations, supportOperations } from '../../interface/operations.js'
import { removeAt, setAt } from '../template/pointer.js'
import type { KeyRing } from '../sign/key-ring.js'
import type { BaseRequest, Step } from '../suite/suite.js'
import { fill, textOf, VariableError, type Variables } from '../template/variables.js'
import type { PreparedRequest } from './transport.js'

const known: ReadonlyMap<string, Operation> = new Map(Object.entries({ ...operations, ...supportOperations }))

/** The operation of that name; the loader has checked that it exists. */
export function operationOf(name: string): Operation {
  const found = known.get(name)
  if (!found) throw new Error(`no operation is called ${name}`)
  return found
}

/**
 * The request that a step sends, without its Authorization header. Throws `VariableError` or `PointerError` where the suite
 * asks for what is not there.
 */
export function prepareRequest(step: Step, base: BaseRequest, variables: Variables, keys: KeyRing): PreparedRequest {
  const operation = operationOf(base.operation)
  const body = bodyOf(step, base, variables, keys)
  const headers = new Map<string, string | null>([['accept', 'application/json']])
  if (body) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(step.raw?.headers ?? {})) headers.set(name.toLowerCase(), value)
  return {
    method: step.raw?.method ?? operation.method,
    path: step.raw?.path === undefined ? pathOf(operation, base, variables) : textOf(step.raw.path, variables),
    headers: [...headers].flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value, variables)]])),
    body,
  }
}

function pathOf(operation: Operation, { name, params = {}, query }: BaseRequest, variables: Variables): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const param = params[key]
    if (param === undefined) throw new VariableError(`the request ${name} says nothing of {${key}} in its path`)
    return encodeURIComponent(textOf(param, variables))
  })
  if (!query) return path
  const filled = Object.entries(query).map(([key, value]): [string, string] => [key, textOf(value, variables)])
  return `${path}?${new URLSearchParams(filled)}`
}

function bodyOf(step: Step, base: BaseRequest, variables: Variables, keys: KeyRing): Buffer | undefined {
  if (step.raw?.text !== undefined) return sized(Buffer.from(textOf(step.raw.text, variables), 'utf8'))
  if (step.raw?.base64 !== undefined) return sized(Buffer.from(step.raw.base64, 'base64'))
  if (base.body === undefined) return undefined
  let body: JsonValue = fill(base.body, variables, keys)
  for (const [pointer, value] of step.edit) body = setAt(body, pointer, fill(value, variables, keys))
  for (const pointer of step.remove) body = removeAt(body, pointer)
  return Buffer.from(printJson(body), 'utf8')
}

const sized = (bytes: Buffer): Buffer | undefined => (bytes.length > 0 ? bytes : undefined)
