import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { isJsonObject, JsonNumber, type JsonValue, printJson } from './json.js'
import { type OperationName, operations } from './operations.js'
import { readDescription } from './read-description.js'
import { describeError, type Schema, type SchemaBasis, schemaCompiler } from './response-schema.js'

/** Where a body breaks its schema: a JSON pointer into the body, and what is wrong there. */
export interface SchemaViolation {
  pointer: string
  message: string
}

/** Empty: the body fits. */
export type ResponseCheck = (body: JsonValue) => SchemaViolation[]

/**
 * Bodies whose text is longer get only their first violation: what ajv takes to collect them grows with the square of
 * their number (10,000 in 0.1 s, 100,000 in 39 s), and a hostile body can have one for every second character.
 */
const thoroughUpTo = 30_000
const mostViolations = 100

/** The document openapi.yaml. */
const interfaceDescription = once(readDescription)

const checks = new Map<string, ResponseCheck>()

/**
 * The check of a JSON body with which an operation answers that status. Statuses that the document does not name get
 * the check of its default response. Pass `text` to judge by the interface text alone: what only the reference
 * participant is known for, the error body included, may then be anything.
 * Numbers are compared as doubles, so a 64-bit integer beyond 2^53 is an integer as it should be.
 */
export function responseCheck(operation: OperationName, status: number, basis: SchemaBasis = 'facts'): ResponseCheck {
  const responses = interfaceDescription().paths?.[operations[operation].path]?.post?.responses ?? {}
  const key = String(status) in responses ? String(status) : 'default'
  const id = `${operation} ${key} ${basis}`
  const check = checks.get(id) ?? makeCheck(jsonSchema(responses[key]), basis)
  checks.set(id, check)
  return check
}

/** The body of a success, and the schemas that it refers to, as the document has them. */
export function successSchema(operation: OperationName): { schema: Schema; named: Readonly<Record<string, Schema>> } {
  const { paths, components } = interfaceDescription()
  const named = (components?.schemas ?? {}) as Record<string, Schema> // data from here on, as in the compiler
  return { schema: jsonSchema(paths?.[operations[operation].path]?.post?.responses?.['200']), named }
}

function jsonSchema(response: OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject | undefined): Schema {
  if (response && '$ref' in response) {
    return jsonSchema(interfaceDescription().components?.responses?.[response.$ref.replace(/^.*\//, '')])
  }
  return (response?.content?.['application/json']?.schema ?? {}) as Schema // from here on it is data for ajv
}

function compiler(basis: SchemaBasis, allErrors: boolean) {
  const named = interfaceDescription().components?.schemas ?? {}
  return schemaCompiler(named as Record<string, Schema>, basis, allErrors) // as above
}

const compilers = {
  text: { thorough: once(() => compiler('text', true)), brief: once(() => compiler('text', false)) },
  facts: { thorough: once(() => compiler('facts', true)), brief: once(() => compiler('facts', false)) },
}

function makeCheck(schema: Schema, basis: SchemaBasis): ResponseCheck {
  const thorough = once(() => compilers[basis].thorough()(schema))
  const brief = once(() => compilers[basis].brief()(schema))
  return (body) => {
    const plain = hasLongNumbers(body) ? asDoubles(body) : body
    if (brief()(plain)) return []
    const validate = printJson(body).length > thoroughUpTo ? brief() : thorough()
    validate(plain)
    return violations(validate)
  }
}

const asDoubles = (body: JsonValue): unknown => JSON.parse(printJson(body))

/** Without recursion: a body is as deep as whoever sent it liked. */
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
    .map((error) => ({ pointer: error.instancePath, message: describeError(error) }))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
