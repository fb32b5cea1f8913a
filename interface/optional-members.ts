/** Optional members of successful answers: those that the text does not require. */
import { successSchema } from './described-responses.js'
import type { OperationName } from './operations.js'
import { isFact, type Schema } from './response-schema.js'

/** Pointers of the optional members on the path of a JSON pointer, itself included. Empty for unknown members. */
export function optionalMembers(operation: OperationName, pointer: string): readonly string[] {
  const key = `${operation} ${pointer}`
  const found = known.get(key) ?? membersOf(operation, pointer)
  known.set(key, found)
  return found
}

/** Cache, because thousands of rows use few members. */
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

/** A schema with its parts, without facts. */
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
