import type { SchemaValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { excerpt, type JsonValue } from '../lib/json/json.js'

/** `facts`: including observed facts. */
export type SchemaBasis = 'text' | 'facts'

export type Schema = Readonly<Record<string, unknown>>

const references = '#/components/schemas/'
const documentId = 'interface'

/** `named`: referenced schemas. Without `allErrors`, stops at the first violation. */
export function schemaCompiler(named: Readonly<Record<string, Schema>>, basis: SchemaBasis, allErrors: boolean) {
  const ajv = new Ajv2020({ ...compilerOptions, allErrors })
  ajv.addKeyword({ keyword: 'oneRecognisedKey', type: 'object', schemaType: 'array', validate: oneRecognisedKey })
  addDocument(ajv, named, basis)
  return (schema: Schema) => ajv.compile(toAjv(schema, basis))
}

export const compilerOptions = {
  strict: true,
  allowUnionTypes: true,
  // A fact may require members of the schema around it.
  strictRequired: false,
  // Validation against the meta-schema is slow, and tests cover the document.
  validateSchema: false,
} as const

export function addDocument(ajv: Ajv2020, named: Readonly<Record<string, Schema>>, basis: SchemaBasis): void {
  addFormats.default(ajv, ['date-time', 'int32'])
  ajv.addFormat('int64', { type: 'number', validate: fitsInt64 })
  ajv.addSchema({ $id: documentId, $defs: mapValues(named, (schema) => toAjv(schema, basis)) })
}

/**
 * 2^63 as a double equals the largest 64-bit integer. The build compiles the source text of this function, so it uses no
 * outer names.
 */
export const fitsInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63

/** `oneOf` would report every branch, without the keys. */
const oneRecognisedKey: SchemaValidateFunction = (keys: string[], data: Record<string, JsonValue>): boolean => {
  const present = keys.filter((key) => Object.hasOwn(data, key))
  if (present.length === 1) return true
  const others = excerpt(Object.keys(data), 80)
  const found = present.length > 1 ? present.join(' and ') : `none of them, only ${others}`
  const message = `must have exactly one of the keys ${keys.join(', ')}; it has ${found}`
  oneRecognisedKey.errors = [{ keyword: 'oneRecognisedKey', message }]
  return false
}

const messages: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: ({ missingProperty }) => String(missingProperty),
  type: ({ type }) => String(type),
  enum: (params) => `must be one of ${excerpt(params['allowedValues'], 200)}`,
  minProperties: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'key' : 'keys'}`,
  maxProperties: ({ limit }) => `must have at most ${limit} ${limit === 1 ? 'key' : 'keys'}`,
}

/** Without the found value: the caller has it in its exact spelling. */
export const argumentOf = ({ keyword, message, params }: ErrorObject): string =>
  messages[keyword]?.(params) ?? `${message}`

export function toAjv(schema: Schema, basis: SchemaBasis): Record<string, unknown> {
  if (basis === 'text' && isFact(schema)) return {}
  const alternatives = list(schema['oneOf'])
  // A fact that adds an alternative needs the basis `facts`.
  const [main, unset, ...more] = list(schema['anyOf']).filter((one) => basis === 'facts' || !isFact(one))
  if (alternatives.length > 0) return { ...translate(omit(schema, 'oneOf'), basis), ...union(alternatives, basis) }
  if (main && !unset) {
    const { allOf } = schema
    return translate({ ...omit(schema, 'anyOf'), allOf: [...list(allOf), main] }, basis)
  }
  if (main && unset && more.length === 0 && isUnset(unset)) {
    // A failed `if` is no violation.
    return { ...translate(omit(schema, 'anyOf'), basis), if: toAjv(unset, basis), else: toAjv(main, basis) }
  }
  return translate(schema, basis)
}

/** Exactly one known key. Without facts, others may exist. */
function union(alternatives: Schema[], basis: SchemaBasis): Record<string, unknown> {
  const known = alternatives.filter((alternative) => basis === 'facts' || !isFact(alternative))
  const properties: Record<string, Schema> = Object.assign({}, ...known.map((alternative) => alternative['properties']))
  return {
    type: 'object',
    properties: mapValues(properties, (schema) => toAjv(schema, basis)),
    ...(known.length === alternatives.length && { oneRecognisedKey: Object.keys(properties) }),
  }
}

function translate(schema: Schema, basis: SchemaBasis): Record<string, unknown> {
  const translated: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-')) continue
    translated[keyword] = translateKeyword(keyword, value, basis)
  }
  return basis === 'text' ? withNulls(translated, schema['required']) : translated
}

/** For members that are not required, null equals absence. */
function withNulls(translated: Record<string, unknown>, required: unknown): Record<string, unknown> {
  const { properties } = translated
  if (typeof properties !== 'object' || properties === null) return translated
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  const eased = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    isRequired(name) ? schema : { if: { type: 'null' }, else: schema },
  ])
  return { ...translated, properties: Object.fromEntries(eased) }
}

function translateKeyword(keyword: string, value: unknown, basis: SchemaBasis): unknown {
  switch (keyword) {
    case '$ref':
      return String(value).replace(references, `${documentId}#/$defs/`)
    case 'properties':
      return mapValues(value as Record<string, Schema>, (schema) => toAjv(schema, basis)) // as JSON Schema defines it
    case 'allOf':
    case 'anyOf':
      return list(value).map((schema) => toAjv(schema, basis))
    case 'items':
    case 'additionalProperties':
    case 'not':
      return toAjv(value as Schema, basis) // as JSON Schema defines it; the document has no boolean schemas
    default:
      return value
  }
}

export const isFact = (schema: Schema): boolean => schema['x-source'] === 'facts'

const isUnset = (schema: Schema): boolean => 'enum' in schema || 'const' in schema || schema['type'] === 'null'
const list = (value: unknown): Schema[] => (Array.isArray(value) ? value : [])
const omit = (schema: Schema, name: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== name))
const mapValues = <From, To>(record: Readonly<Record<string, From>>, convert: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]))
