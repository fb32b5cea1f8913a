/** Members of request bodies that the description does not contain. */
import { isJsonObject, type JsonValue } from '../lib/json/json.js'
import { namedSchemas, requestSchema } from './described-schemas.js'
import type { OperationName } from './operations.js'
import type { Schema } from './response-schema.js'
import { isSchema, memberOf, partsOf } from './schema-parts.js'

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
