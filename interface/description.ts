import type { ValidateFunction } from 'ajv/dist/2020.js'
import { isJsonObject, JsonNumber, type JsonValue, printJson } from '../lib/json/json.js'
import { once } from '../lib/made-once.js'
import { describedResponses, fitName, namedSchemas, schemaOf, success } from './described-schemas.js'
import type { OperationName } from './operations.js'
import compiled from './response-fits.cjs'
import { argumentOf, type Schema, type SchemaBasis, schemaCompiler } from './response-schema.js'

/** `pointer`: JSON pointer into the body. `argument`: the missing member, the type, or else the message of the schema. */
export interface SchemaViolation {
  pointer: string
  keyword: string
  argument: string
}

export type ResponseCheck = (body: JsonValue) => SchemaViolation[]

/**
 * Longer bodies (characters) get only their first violation, because the time of ajv grows with the square of the
 * violations (100,000 in 39 s).
 */
const thoroughUpTo = 30_000
const mostViolations = 100

const checks = new Map<string, ResponseCheck>()

/**
 * `text` ignores facts, including the error body. Numbers compare as doubles, so integers beyond 2^53 are integers.
 * @example responseCheck('submit-and-wait', 200)({ completionOffset: 12 })[0]?.argument // 'updateId'
 */
export function responseCheck(operation: OperationName, status: number, basis: SchemaBasis = 'facts'): ResponseCheck {
  const responses = describedResponses(operation)
  const key = status >= 200 && status < 300 ? success : 'default'
  const id = `${operation} ${key} ${basis}`
  const fits = key === success ? compiled.fits[fitName(operation, basis)] : undefined
  const check = checks.get(id) ?? makeCheck(schemaOf(responses[key]), basis, fits)
  checks.set(id, check)
  return check
}

function compiler(basis: SchemaBasis, allErrors: boolean) {
  return schemaCompiler(namedSchemas(), basis, allErrors)
}

const compilers = {
  text: { thorough: once(() => compiler('text', true)), brief: once(() => compiler('text', false)) },
  facts: { thorough: once(() => compiler('facts', true)), brief: once(() => compiler('facts', false)) },
}

/** `fits`: compiled, without messages. */
function makeCheck(schema: Schema, basis: SchemaBasis, fits?: (body: unknown) => boolean): ResponseCheck {
  const thorough = once(() => compilers[basis].thorough()(schema))
  const brief = once(() => compilers[basis].brief()(schema))
  return (body) => {
    const plain = hasLongNumbers(body) ? asDoubles(body) : body
    if ((fits ?? brief())(plain)) return []
    const validate = printJson(body).length > thoroughUpTo ? brief() : thorough()
    validate(plain)
    return violations(validate)
  }
}

const asDoubles = (body: JsonValue): unknown => JSON.parse(printJson(body))

/** Without recursion: a body has any depth. */
function hasLongNumbers(body: JsonValue): boolean {
  const open = [body]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof JsonNumber) return true
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isJsonObject(value)) for (const name of Object.keys(value)) open.push(value[name] ?? null)
  }
  return false
}

function violations({ errors }: ValidateFunction): SchemaViolation[] {
  return (errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .slice(0, mostViolations)
    .map((error) => ({ pointer: error.instancePath, keyword: error.keyword, argument: argumentOf(error) }))
}
