import type { Schema } from './response-schema.js'

/** A schema, and all schemas that it refers to or combines. */
export function partsOf(
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

export const memberOf = (properties: unknown, token: string): Schema[] =>
  isSchema(properties) && Object.hasOwn(properties, token) ? [properties[token]].filter(isSchema) : []

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
