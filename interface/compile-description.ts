/**
 * A build step: writes openapi.yaml as JSON, which loads faster, and compiles the checks of answers. Compiling one check
 * takes as long as judging hundreds of rows.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { parse } from 'yaml'
import { fitName, successSchema } from './described-schemas.js'
import { type OperationName, operations } from './operations.js'
import { descriptionFile } from './read-description.js'
import { addDocument, compilerOptions, fitsInt64, type Schema, type SchemaBasis, toAjv } from './response-schema.js'

/** Its functions return only whether a body matches. */
function responseCode(): string {
  const int64 = `{ type: 'number', validate: ${String(fitsInt64)} }`
  return `'use strict'
const formats = { ...require('ajv-formats/dist/formats').fullFormats, int64: ${int64} }
const fits = {}
exports.fits = fits
${codeBy('text')}
${codeBy('facts')}
`
}

/** In a block, because ajv repeats names. */
function codeBy(basis: SchemaBasis): string {
  const ajv = new Ajv2020({ ...compilerOptions, code: { source: true } })
  ajv.addKeyword({ keyword: 'oneRecognisedKey', type: 'object', schemaType: 'array', macro: exactlyOneOf })
  const names = Object.keys(operations) as OperationName[] // they are its keys
  for (const [index, operation] of names.entries()) {
    const { schema, named } = successSchema(operation)
    if (index === 0) addDocument(ajv, named, basis)
    ajv.addSchema(toAjv(schema, basis), fitName(operation, basis))
  }
  ajv.opts.code.formats = _`formats`
  const exported = names.map((operation) => fitName(operation, basis))
  const code = standalone.default(ajv, Object.fromEntries(exported.map((name) => [name, name])))
  return `{\n  const exports = fits\n${code}\n}`
}

/** Without error messages. */
const exactlyOneOf = (keys: string[]): Schema => ({ oneOf: keys.map((key) => ({ required: [key] })) })

const text = readFileSync(new URL('../../interface/openapi.yaml', import.meta.url), 'utf8')
writeFileSync(descriptionFile, JSON.stringify(parse(text)))
writeFileSync(new URL('./response-fits.cjs', import.meta.url), responseCode())
