/**
 * Writes runner/suite/shapes.ts, the types of the parts of suite files, from suites/schema:
 *   npm run shapes
 * `npm run check:shapes` fails if the file differs.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const output = 'runner/suite/shapes.ts'
const folder = 'suites/schema'
/** Schemas of files outside a suite. */
const excluded = ['target', 'waivers']

/** @typedef {Record<string, any>} Schema a JSON Schema of this project */

/** @type {Map<string, Schema>} */
const files = new Map(
  readdirSync(folder)
    .flatMap((file) => /^(.*)\.schema\.json$/.exec(file)?.[1] ?? [])
    .filter((name) => !excluded.includes(name))
    .map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}.schema.json`, 'utf8'))]),
)
const isPart = (/** @type {Schema} */ { properties, if: condition, enum: values, items }) =>
  [properties, condition, values, items?.enum].some((keyword) => keyword !== undefined)

/** The schemas with a name: files, and definitions with members, alternatives or known values. @type {Map<Schema, string>} */
const names = new Map()
for (const [file, schema] of files) {
  if (isPart(schema)) names.set(schema, file)
  for (const [name, definition] of Object.entries(schema['definitions'] ?? {})) {
    // Two files may define parts of one name.
    const isTaken = files.has(name) || [...names.values()].includes(name)
    if (isPart(definition)) names.set(definition, isTaken ? `${file}-${name}` : name)
  }
}

/** @returns {[schema: Schema, file: string]} */
function resolve(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const reference = schema['$ref']
  if (reference === undefined) return [schema, file]
  const [, other = file, definition] = /^(?:(.*)\.schema\.json)?#?(?:\/definitions\/(.*))?$/.exec(reference) ?? []
  const root = files.get(other)
  if (!root) throw new Error(`${file}: unknown schema ${reference}`)
  return resolve(definition === undefined ? root : root['definitions'][definition], other)
}

/** @returns {string} */
function typeOf(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const [found, place] = resolve(schema, file)
  const name = names.get(found)
  return name === undefined ? bodyOf(found, place) : `Shapes['${name}']`
}

function bodyOf(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const { const: constant, enum: values, type, if: condition } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if (values) return values.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ')
  if (condition?.required || schema['properties']) return objectOf(schema, file)
  if (condition) return alternativesOf(schema, file)
  const types = type === undefined ? [] : [type].flat()
  if (types.length === 0) return 'Data'
  return types.map((one) => singleOf(schema, one, file)).join(' | ')
}

/** A condition on the type separates the types of the branches. */
function alternativesOf(
  /** @type {Schema} */ { if: condition, then = {}, else: other = {}, type },
  /** @type {string} */ file,
) {
  const first = [condition.type].flat()
  const rest = type === undefined ? [] : [type].flat().filter((/** @type {string} */ one) => !first.includes(one))
  const branches = [
    { type: first, ...then },
    ...(type === undefined || rest.length > 0 ? [{ ...(rest.length > 0 && { type: rest }), ...other }] : []),
  ]
  return branches.map((branch) => typeOf(branch, file)).join(' | ')
}

function singleOf(
  /** @type {Schema} */ { items, additionalProperties },
  /** @type {string} */ type,
  /** @type {string} */ file,
) {
  if (type === 'array') return `(${items ? typeOf(items, file) : 'Data'})[]`
  if (type === 'object') return `Record<string, ${additionalProperties ? typeOf(additionalProperties, file) : 'Data'}>`
  return type === 'integer' ? 'number' : type
}

/** A condition on members yields one type with the members of all branches; a member is required if all branches require it. */
function objectOf(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const all = partsOf(schema, file)
  const described = all.filter(([part]) => part['properties'])
  /** @type {Map<string, string>} */
  const members = new Map()
  for (const [part, place] of described)
    for (const [name, member] of Object.entries(part['properties'])) members.set(name, typeOf(member, place))
  const isRequired = (/** @type {string} */ name) => described.every(([part]) => part['required']?.includes(name))
  const lines = [...members].map(
    ([name, type]) => `${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired(name) ? '' : '?'}: ${type}`,
  )
  return `{ ${lines.join('; ')} }`
}

/** @returns {[schema: Schema, file: string][]} */
function partsOf(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const [found, place] = resolve(schema, file)
  const branches = [found['then'], found['else']].filter((branch) => branch !== undefined)
  return [[found, place], ...branches.flatMap((branch) => partsOf(branch, place))]
}

/** @type {Map<string, string>} */
const bodies = new Map()
/** Adds the shape and those that it mentions. */
function add(/** @type {Schema} */ schema, /** @type {string} */ file) {
  const name = names.get(schema) ?? file
  if (bodies.has(name)) return
  const body = bodyOf(schema, file)
  bodies.set(name, body)
  for (const [, mentioned] of body.matchAll(/Shapes\['([^']+)'\]/g)) {
    const [found] = [...names].find(([, one]) => one === mentioned) ?? []
    if (found) add(found, fileOf(found))
  }
}

const fileOf = (/** @type {Schema} */ schema) =>
  [...files].find(([, root]) => root === schema || Object.values(root['definitions'] ?? {}).includes(schema))?.[0] ?? ''

for (const [file, schema] of files) if (isPart(schema)) add(schema, file)
const shapes = [...bodies].map(([name, body]) => `'${name}': ${body}`)
const text = `/** The parts of suite files, written by \`npm run shapes\` from suites/schema. Names are those of the schemas and their definitions. */
import type { Data } from '../../record/types/resolved-row.js'

export interface Shapes {
${shapes.join('\n')}
}
`
const formatted = execFileSync('biome', ['format', `--stdin-file-path=${output}`], { input: text, encoding: 'utf8' })
const isCurrent = process.argv.includes('--current')
if (!isCurrent) writeFileSync(output, formatted)
else if (readFileSync(output, 'utf8') !== formatted) {
  console.error(`${output} differs from suites/schema. Run: npm run shapes`)
  process.exitCode = 1
}
