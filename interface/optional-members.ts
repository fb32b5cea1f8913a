/** Which members of a successful answer the text lets be left out: those that no sentence calls required. */
import { successSchema } from './described-responses.js'
import type { OperationName } from './operations.js'
import { isFact, type Schema } from './response-schema.js'

/**
 * Of the members that a JSON pointer into the body leads through, those that may be left out, each as a pointer; the last one
 * is the member itself. What the text does not know has none.
 */
export function optionalMembers(operation: OperationName, pointer: string): readonly string[] {
  const key = `${operation} ${pointer}`
  const found = known.get(key) ?? membersOf(operation, pointer)
  known.set(key, found)
  return found
}

/** Rows by the thousand ask for the same few. */
const known = new Map<string, readonly string[]>()

function membersOf(operation: OperationName, pointer: string): string[] {
  const { schema, named } = successSchema(operation)
  const optional: string[] = []
  let current: Schema[] = [schema]
  let path = ''
  for (const token of pointer.split('/').slice(1)) {
    const parts = current.flatMap((one) => partsOf(one, named))
    path += `/${token}`
    const member = parts.flatMap(({ properties }) => memberOf(properties, token))
    const isRequired = parts.some(({ required }) => Array.isArray(required) && required.includes(token))
    if (member.length > 0 && !isRequired) optional.push(path)
    current = member.length > 0 ? member : parts.flatMap(({ items }) => (isSchema(items) ? [items] : []))
  }
  return optional
}

/** A schema with everything that it is put together from, facts left out. */
function partsOf(schema: Schema, named: Readonly<Record<string, Schema>>): Schema[] {
  if (isFact(schema)) return []
  const { $ref, allOf, anyOf, oneOf } = schema
  const target = typeof $ref === 'string' ? named[$ref.replace(/^.*\//, '')] : undefined
  const inner = [target, allOf, anyOf, oneOf].flat().filter(isSchema)
  return [schema, ...inner.flatMap((one) => partsOf(one, named))]
}

const memberOf = (properties: unknown, token: string): Schema[] =>
  isSchema(properties) && Object.hasOwn(properties, token) ? [properties[token]].filter(isSchema) : []

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
