/** What openapi.yaml says of answers. */
import type { OpenAPIV3_1 } from 'openapi-types'
import { type OperationName, operations } from './operations.js'
import { readDescription } from './read-description.js'
import type { Schema, SchemaBasis } from './response-schema.js'

type Response = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject

const interfaceDescription = once(readDescription)

export const descriptionDigest = (): string => interfaceDescription().digest

/** The text shows no statuses: that success is this class of them is what HTTP says. */
export const success = '2XX'

/** By class of status, and one for all others. */
export const describedResponses = (operation: OperationName): Readonly<Record<string, Response>> =>
  interfaceDescription().document.paths?.[operations[operation].path]?.post?.responses ?? {}

/** Those that others refer to: data from here on. */
export const namedSchemas = (): Readonly<Record<string, Schema>> =>
  (interfaceDescription().document.components?.schemas ?? {}) as Record<string, Schema>

/** Under which name the build keeps the check of a successful answer. */
export const fitName = (operation: OperationName, basis: SchemaBasis): string => `${operation} ${basis}`

/** The body of a success, and the schemas that it refers to, as the document has them. */
export function successSchema(operation: OperationName): { schema: Schema; named: Readonly<Record<string, Schema>> } {
  return { schema: schemaOf(describedResponses(operation)[success]), named: namedSchemas() }
}

/** Of the body, where it is JSON; anything fits where the document says nothing. */
export function schemaOf(response: Response | undefined): Schema {
  if (response && '$ref' in response) {
    return schemaOf(interfaceDescription().document.components?.responses?.[response.$ref.replace(/^.*\//, '')])
  }
  return (response?.content?.['application/json']?.schema ?? {}) as Schema // from here on it is data for ajv
}

/** Makes it once, when it is asked for. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
