/** Answers in openapi.yaml. */
import type { OpenAPIV3_1 } from 'openapi-types'
import { type OperationName, operations } from './operations.js'
import { readDescription } from './read-description.js'
import type { Schema, SchemaBasis } from './response-schema.js'

type Response = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject

const interfaceDescription = once(readDescription)

export const descriptionDigest = (): string => interfaceDescription().digest

/** The text has no statuses; HTTP defines the class of success. */
export const success = '2XX'

/** By status class, with a default. */
export const describedResponses = (operation: OperationName): Readonly<Record<string, Response>> =>
  interfaceDescription().document.paths?.[operations[operation].path]?.post?.responses ?? {}

/** Referenced schemas. */
export const namedSchemas = (): Readonly<Record<string, Schema>> =>
  (interfaceDescription().document.components?.schemas ?? {}) as Record<string, Schema>

/** Name of the compiled check of a successful answer. */
export const fitName = (operation: OperationName, basis: SchemaBasis): string => `${operation} ${basis}`

/** The schema of a successful body, with referenced schemas. */
export function successSchema(operation: OperationName): { schema: Schema; named: Readonly<Record<string, Schema>> } {
  return { schema: schemaOf(describedResponses(operation)[success]), named: namedSchemas() }
}

/** Schema of a JSON body; permits everything if the document has none. */
export function schemaOf(response: Response | undefined): Schema {
  if (response && '$ref' in response) {
    return schemaOf(interfaceDescription().document.components?.responses?.[response.$ref.replace(/^.*\//, '')])
  }
  return (response?.content?.['application/json']?.schema ?? {}) as Schema // from here on it is data for ajv
}

/** Computes the value once, on first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
