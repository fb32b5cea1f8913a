/** Members of successful answers that the text does not require. */
import { successSchema } from './described-schemas.js'
import type { OperationName } from './operations.js'
import { isFact, type Schema } from './response-schema.js'
import { isSchema, memberOf, partsOf } from './schema-parts.js'

/** Optional members on the path of a pointer, itself included. */
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
