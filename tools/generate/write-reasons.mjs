/**
 * Writes record/reason.schema.json from the types of record/types/reason.ts, and the table of codes of docs/reference/reasons.md from
 * their words. Needs a build:
 *   node tools/generate/write-reasons.mjs [--current]
 * `--current` changes nothing. It exits with 1 if a file is not current.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

const source = 'record/types/reason.ts'
const schemaFile = 'record/reason.schema.json'
const page = 'docs/reference/reasons.md'

/** @typedef {Record<string, any>} Node a node of the syntax tree */
/** @typedef {Record<string, unknown>} Schema */

/** Types of other files. @type {Readonly<Record<string, Schema>>} */
const imported = {
  Permission: { enum: ['read', 'write', 'topology', 'upload', 'hazard'] },
  CheckName: { type: 'string' },
}

const { program } = parseSync(source, readFileSync(source, 'utf8'))

/** @type {[name: string, type: Node][]} */
const declared = program.body.flatMap((/** @type {Node} */ { declaration }) => {
  // Generic types are only for TypeScript.
  if (!declaration?.id || declaration.typeParameters) return []
  return [[declaration.id.name, declaration.typeAnnotation ?? declaration.body]]
})
const names = new Set(declared.map(([name]) => name))

/** @type {Readonly<Record<string, (node: Node) => Schema>>} */
const schemas = {
  TSStringKeyword: () => ({ type: 'string' }),
  TSNumberKeyword: () => ({ type: 'number' }),
  TSBooleanKeyword: () => ({ type: 'boolean' }),
  TSLiteralType: ({ literal }) => ({ const: literal.value }),
  TSArrayType: ({ elementType }) => ({ type: 'array', items: schemaOf(elementType) }),
  TSTypeReference: ({ typeName: { name } }) =>
    names.has(name) ? { $ref: `#/definitions/${name}` } : (imported[name] ?? unknown(name)),
  TSUnionType: ({ types }) => {
    const isEnum = types.every((/** @type {Node} */ { type }) => type === 'TSLiteralType')
    return isEnum
      ? { enum: types.map((/** @type {Node} */ { literal }) => literal.value) }
      : { anyOf: types.map(schemaOf) }
  },
  TSTypeLiteral: ({ members }) => objectOf(members),
  TSInterfaceBody: ({ body }) => objectOf(body),
}

/** @param {Node} node @returns {Schema} */
function schemaOf(node) {
  return (schemas[node['type']] ?? unknown(node['type']))(node)
}

/** @param {Node[]} members @returns {Schema} */
function objectOf(members) {
  const properties = members.map(({ key, typeAnnotation }) => [key.name, schemaOf(typeAnnotation.typeAnnotation)])
  const required = members.flatMap(({ key, optional }) => (optional ? [] : [key.name]))
  return { type: 'object', required, properties: Object.fromEntries(properties) }
}

/** @param {string} what @returns {never} */
function unknown(what) {
  throw new Error(`${source}: no schema for ${what}`)
}

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'reason.schema.json',
  title: 'Facts of a run record',
  description: `Reasons of rows, checked facts and ends of runs. Generated from ${source}.`,
  definitions: Object.fromEntries(
    declared.flatMap(([name, type]) => (name === 'ReasonCode' ? [] : [[name, schemaOf(type)]])),
  ),
}

/** Each member is its own name, so that the words show where it stands. @param {string} code @returns {any} */
function placeholders(code) {
  const member = (/** @type {string} */ name) => (Object.hasOwn(named, name) ? named[name] : `‹${name}›`)
  return new Proxy({ code }, { get: (_, name) => (name === 'code' ? code : member(String(name))) })
}

const fact = { subject: '‹subject›', check: 'equals', wanted: ['‹wanted›'], found: ['‹found›'] }

/** Members that are no text. @type {Record<string, unknown>} */
const named = {
  because: { code: 'request-failed', message: '‹because›' },
  unmet: fact,
  permissions: ['write'],
  allow: ['‹allow›'],
  rows: ['‹rows›'],
  updates: ['‹updates›'],
  packages: [{ name: '‹package›', problem: 'not-uploaded' }],
  missing: [{ variable: '‹variable›', pointer: '‹pointer›' }],
  members: [{ variable: '‹variable›', pointer: '‹pointer›' }],
  // Only the time of the day is shown.
  from: '0000-00-00T‹from›',
  to: '0000-00-00T‹to›',
  side: undefined,
  ended: undefined,
  more: undefined,
}

const { reasonText } = await import('../../dist/reports/wording/reason-words.js')
const { anyOf } = /** @type {{ anyOf: { properties: { code: { const: string } } }[] }} */ (schema.definitions['Reason'])
const lines = anyOf.map(({ properties: { code } }) => {
  const reason =
    code.const === 'no-suitable-user'
      ? { code: code.const, actor: '‹actor›', because: { code: 'right-missing', user: '‹user›', right: '‹right›' } }
      : placeholders(code.const)
  return `| \`${code.const}\` | ${String(reasonText(reason)).replaceAll('|', '\\|')} |`
})

const text = readFileSync(page, 'utf8')
const table = /(^\| Code \| Words \|\n\| --- \| --- \|\n)(?:\|.*\n)+/m
if (!table.test(text)) throw new Error(`${page} has no table of codes`)
/** @type {[file: string, content: string][]} */
const files = [
  [schemaFile, `${JSON.stringify(schema, null, 2)}\n`],
  [page, text.replace(table, (_, head) => `${head}${lines.join('\n')}\n`)],
]
const stale = files.filter(([file, content]) => !isSame(file, content))

/** The format of the schema is that of Biome. @param {string} file @param {string} content */
function isSame(file, content) {
  const found = readFileSync(file, 'utf8')
  return file.endsWith('.json')
    ? JSON.stringify(JSON.parse(found)) === JSON.stringify(JSON.parse(content))
    : found === content
}

if (!process.argv.includes('--current')) for (const [file, content] of stale) writeFileSync(file, content)
else if (stale.length > 0) {
  console.error(`${stale.map(([file]) => file).join(', ')}: not current; run npm run reasons`)
  process.exit(1)
}
