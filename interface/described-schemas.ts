import type { OpenAPIV3_1 } from 'openapi-types'
import { once } from '../lib/once.js'
import { type OperationName, operations } from './operations.js'
import { readDescription } from './read-description.js'
import type { Schema, SchemaBasis } from './response-schema.js'

type Response = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject

const interfaceDescription = once(readDescription)

export const descriptionDigest = (): string => interfaceDescription().digest

/** The text has no status codes. */
export const success = '2XX'

export const describedResponses = (operation: OperationName): Readonly<Record<string, Response>> =>
  interfaceDescription().document.paths?.[operations[operation].path]?.post?.responses ?? {}

export function requestSchema(operation: OperationName): Schema {
  const body = interfaceDescription().document.paths?.[operations[operation].path]?.post?.requestBody
  return (body && 'content' in body ? (body.content['application/json']?.schema ?? {}) : {}) as Schema // from here on it is data for ajv
}

export const namedSchemas = (): Readonly<Record<string, Schema>> =>
  (interfaceDescription().document.components?.schemas ?? {}) as Record<string, Schema>

export const fitName = (operation: OperationName, basis: SchemaBasis): string => `${operation} ${basis}`

export function successSchema(operation: OperationName): { schema: Schema; named: Readonly<Record<string, Schema>> } {
  return { schema: schemaOf(describedResponses(operation)[success]), named: namedSchemas() }
}

/** Permits everything if the document has none. */
export function schemaOf(response: Response | undefined): Schema {
  if (response && '$ref' in response) {
    return schemaOf(interfaceDescription().document.components?.responses?.[response.$ref.replace(/^.*\//, '')])
  }
  return (response?.content?.['application/json']?.schema ?? {}) as Schema // from here on it is data for ajv
}
