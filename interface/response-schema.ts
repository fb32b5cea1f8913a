import type { SchemaValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { excerpt, type JsonValue } from '../lib/json/json.js'

/** By what a body is judged: the interface text alone, or also what a reference participant was found to do. */
export type SchemaBasis = 'text' | 'facts'

/** A JSON Schema as the document holds it: plain YAML data, read-only here. */
export type Schema = Readonly<Record<string, unknown>>

const references = '#/components/schemas/'
const documentId = 'interface'

/**
 * Compiles schemas of the OpenAPI document. `named` are the document's own schemas, which the others refer to.
 * With `allErrors` false, checking stops at the first violation.
 */
export function schemaCompiler(named: Readonly<Record<string, Schema>>, basis: SchemaBasis, allErrors: boolean) {
  const ajv = new Ajv2020({ ...compilerOptions, allErrors, verbose: true })
  ajv.addKeyword({ keyword: 'oneRecognisedKey', type: 'object', schemaType: 'array', validate: oneRecognisedKey })
  addDocument(ajv, named, basis)
  return (schema: Schema) => ajv.compile(toAjv(schema, basis))
}

/** Of every compiler of these schemas. */
export const compilerOptions = {
  strict: true,
  allowUnionTypes: true,
  // A fact may require members that the text-based schema around it defines.
  strictRequired: false,
  // The document is ours and tested; holding it against the meta-schema takes longer than everything else here.
  validateSchema: false,
} as const

/** What the schemas refer to. */
export function addDocument(ajv: Ajv2020, named: Readonly<Record<string, Schema>>, basis: SchemaBasis): void {
  addFormats.default(ajv, ['date-time', 'int32'])
  ajv.addFormat('int64', { type: 'number', validate: fitsInt64 })
  ajv.addSchema({ $id: documentId, $defs: mapValues(named, (schema) => toAjv(schema, basis)) })
}

/** Bodies are checked as doubles: 2^63 itself cannot be told from the largest 64-bit integer. It stands by itself, as its text becomes code. */
export const fitsInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63

/** `oneOf` alone would answer with the failures of every branch, and never name the keys. */
const oneRecognisedKey: SchemaValidateFunction = (keys: string[], data: Record<string, JsonValue>): boolean => {
  const present = keys.filter((key) => Object.hasOwn(data, key))
  if (present.length === 1) return true
  const others = excerpt(Object.keys(data), 80)
  const found = present.length > 1 ? present.join(' and ') : `none of them, only ${others}`
  const message = `must have exactly one of the keys ${keys.join(', ')}; it has ${found}`
  oneRecognisedKey.errors = [{ keyword: 'oneRecognisedKey', message }]
  return false
}

/** What ajv says of a keyword, in other words. */
const problems: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  enum: (params) => `must be one of ${excerpt(params['allowedValues'], 200)}`,
  minProperties: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'key' : 'keys'}`,
  maxProperties: ({ limit }) => `must have at most ${limit} ${limit === 1 ? 'key' : 'keys'}`,
}

/** One finding of ajv in words, with what stood in the place. */
export function describeError({ keyword, message, params, data }: ErrorObject): string {
  const problem = problems[keyword]?.(params) ?? message
  const found = keyword === 'required' || keyword === 'oneRecognisedKey' ? '' : `, found ${shown(data)}`
  return `${problem}${found}`
}

/** `data` is a part of the body as it was checked, so it is JSON; but as a double, `1e400` is no number any more. */
const shown = (data: unknown): string =>
  typeof data === 'number' && !Number.isFinite(data) ? 'a number beyond doubles' : excerpt(data as JsonValue, 60)

/** A schema of the document as ajv takes it. */
export function toAjv(schema: Schema, basis: SchemaBasis): Record<string, unknown> {
  if (basis === 'text' && isFact(schema)) return {}
  const alternatives = list(schema['oneOf'])
  // A fact that widens what the text says is no alternative by the text.
  const [main, unset, ...more] = list(schema['anyOf']).filter((one) => basis === 'facts' || !isFact(one))
  if (alternatives.length > 0) return { ...translate(omit(schema, 'oneOf'), basis), ...union(alternatives, basis) }
  if (main && !unset) {
    const { allOf } = schema
    return translate({ ...omit(schema, 'anyOf'), allOf: [...list(allOf), main] }, basis)
  }
  if (main && unset && more.length === 0 && isUnset(unset)) {
    // The failure of `if` is no finding, so what remains are the findings of the schema proper.
    return { ...translate(omit(schema, 'anyOf'), basis), if: toAjv(unset, basis), else: toAjv(main, basis) }
  }
  return translate(schema, basis)
}

/** Objects with exactly one recognised key. If a kind is left out because it is no fact of the text, others may exist too. */
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

/** The text calls few members required: of the others null says as much as nothing. */
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

/** Whether it is no part of the text, but known of a reference participant. */
export const isFact = (schema: Schema): boolean => schema['x-source'] === 'facts'

const isUnset = (schema: Schema): boolean => 'enum' in schema || 'const' in schema || schema['type'] === 'null'
const list = (value: unknown): Schema[] => (Array.isArray(value) ? value : [])
const omit = (schema: Schema, name: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== name))
const mapValues = <From, To>(record: Readonly<Record<string, From>>, convert: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]))
