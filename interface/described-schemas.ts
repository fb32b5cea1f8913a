import type { OpenAPIV3_1 } from 'openapi-types'
import { isJsonObject, type JsonValue } from '../lib/json/json.js'
import { once } from '../lib/made-once.js'
import { type OperationName, operations } from './operations.js'
import { readDescription } from './read-description.js'
import { isFact, type Schema, type SchemaBasis } from './response-schema.js'

type Response = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject

const interfaceDescription = once(readDescription)

/** The text has no status codes. */
export const success = '2XX'

export const describedResponses = (operation: OperationName): Readonly<Record<string, Response>> =>
  interfaceDescription().paths?.[operations[operation].path]?.post?.responses ?? {}

function requestSchema(operation: OperationName): Schema {
  const body = interfaceDescription().paths?.[operations[operation].path]?.post?.requestBody
  return (body && 'content' in body ? (body.content['application/json']?.schema ?? {}) : {}) as Schema // from here on it is data for ajv
}

export const namedSchemas = (): Readonly<Record<string, Schema>> =>
  (interfaceDescription().components?.schemas ?? {}) as Record<string, Schema>

export const fitName = (operation: OperationName, basis: SchemaBasis): string => `${operation} ${basis}`

export function successSchema(operation: OperationName): { schema: Schema; named: Readonly<Record<string, Schema>> } {
  return { schema: schemaOf(describedResponses(operation)[success]), named: namedSchemas() }
}

/** Permits everything if the document has none. */
export function schemaOf(response: Response | undefined): Schema {
  if (response && '$ref' in response) {
    return schemaOf(interfaceDescription().components?.responses?.[response.$ref.replace(/^.*\//, '')])
  }
  return (response?.content?.['application/json']?.schema ?? {}) as Schema // from here on it is data for ajv
}

/** A schema, and all schemas that it refers to or combines. */
function partsOf(
  schema: Schema,
  named: Readonly<Record<string, Schema>>,
  isUsed: (part: Schema) => boolean = () => true,
): Schema[] {
  if (!isUsed(schema)) return []
  const { $ref, allOf, anyOf, oneOf } = schema
  const target = typeof $ref === 'string' ? named[$ref.replace(/^.*\//, '')] : undefined
  const inner = [target, allOf, anyOf, oneOf].flat().filter(isSchema)
  return [schema, ...inner.flatMap((one) => partsOf(one, named, isUsed))]
}

const memberOf = (properties: unknown, token: string): Schema[] =>
  isSchema(properties) && Object.hasOwn(properties, token) ? [properties[token]].filter(isSchema) : []

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of successful answers that the text does not require, on the path of a pointer, itself included. */
export function optionalMembers(operation: OperationName, pointer: string): readonly string[] {
  const key = `${operation} ${pointer}`
  const found = known.get(key) ?? membersOf(operation, pointer)
  known.set(key, found)
  return found
}

const known = new Map<string, readonly string[]>()

function membersOf(operation: OperationName, pointer: string): string[] {
  const { schema, named } = successSchema(operation)
  const optional: string[] = []
  let current: Schema[] = [schema]
  let path = ''
  for (const token of pointer.split('/').slice(1)) {
    const parts = current.flatMap((one) => partsOf(one, named, (part) => !isFact(part)))
    path += `/${token}`
    const member = parts.flatMap(({ properties }) => memberOf(properties, token))
    const isRequired = parts.some(({ required }) => Array.isArray(required) && required.includes(token))
    if (member.length > 0 && !isRequired) optional.push(path)
    current = member.length > 0 ? member : parts.flatMap(({ items }) => (isSchema(items) ? [items] : []))
  }
  return optional
}

/** A member of a request body that the description does not contain. */
export interface UnknownMember {
  name: string
  /** Names of the described members beside it. */
  known: string[]
}

/** In a part of a request body, and on the path to it. Members of an unknown member are not included. */
export function unknownMembers(operation: OperationName, path: readonly string[], value: JsonValue): UnknownMember[] {
  let schemas = [requestSchema(operation)]
  for (const name of path) {
    const found = below(schemas, name)
    if (found.unknown) return [found.unknown]
    schemas = found.schemas
  }
  return inValue(schemas, value)
}

function inValue(schemas: readonly Schema[], value: JsonValue): UnknownMember[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => inValue(below(schemas, `${index}`).schemas, item))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const found = below(schemas, name)
    return found.unknown ? [found.unknown] : inValue(found.schemas, member)
  })
}

/** A value without described members may contain any; `schemas` is empty for those. */
function below(schemas: readonly Schema[], name: string): { schemas: Schema[]; unknown?: UnknownMember } {
  const parts = schemas.flatMap((schema) => partsOf(schema, namedSchemas()))
  const known = parts.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []))
  const member = parts.flatMap(({ properties }) => memberOf(properties, name))
  const others = parts.flatMap(({ items, additionalProperties }) => [items, additionalProperties]).filter(isSchema)
  const found = member.length > 0 ? member : others
  const isUnknown = found.length === 0 && known.length > 0
  return { schemas: found, ...(isUnknown && { unknown: { name, known: [...new Set(known)] } }) }
}
