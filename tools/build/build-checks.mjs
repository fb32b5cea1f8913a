// Compiles the schemas of suite files and of records, so that commands start faster.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const folder = 'suites/schema'
/** Schemas that only other schemas refer to; each other schema describes a file. */
const parts = ['response', 'matcher', 'operations', 'step']

const code = { source: true, esm: true }
const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: true, allowUnionTypes: true, code })
// A keyword of editors: their message for a mismatched pattern.
ajv.addKeyword('patternErrorMessage')
// The names of the suite decide about a reference, so the check reports each one with its kind, as `schema` of the error.
ajv.addKeyword({ keyword: 'x-refers', type: 'string', schemaType: 'string', code: (context) => context.fail() })
const names = readdirSync(folder).flatMap((file) => /^(.*)\.schema\.json$/.exec(file)?.[1] ?? [])
for (const name of names) {
  const file = `${name}.schema.json`
  ajv.addSchema(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')), file)
}
const kinds = names.filter((name) => !parts.includes(name)).map((name) => [name, `${name}.schema.json`])

await writeChecks('dist/runner/yaml/suite-checks.js', ajv, Object.fromEntries(kinds))

const recordAjv = new Ajv({ strictTuples: false, allowUnionTypes: true, code })
for (const name of ['run-record', 'reason'])
  recordAjv.addSchema(JSON.parse(readFileSync(`record/${name}.schema.json`, 'utf8')))
const resolvedRow = JSON.parse(readFileSync('record/resolved-row.schema.json', 'utf8'))
// Most rows have the same steps, so that the reader checks each step once.
resolvedRow.definitions.row.properties.steps = { type: 'array' }
recordAjv.addSchema(resolvedRow)
const lines = ['header', 'exchange', 'row', 'oracles', 'footer']
for (const name of lines) recordAjv.addSchema({ $ref: `run-record.schema.json#/definitions/${name}` }, name)
recordAjv.addSchema({ $ref: 'resolved-row.schema.json#/definitions/step' }, 'step')
await writeChecks('dist/record/file/record-checks.js', recordAjv, {
  isHeader: 'header',
  isRow: 'row',
  isStep: 'step',
  isExchange: 'exchange',
  isOracles: 'oracles',
  isFooter: 'footer',
})

// A certified record has no member that nothing derives or states.
const closedAjv = new Ajv({ strictTuples: false, allowUnionTypes: true, strictRequired: false, code })
closedAjv.addSchema(JSON.parse(readFileSync('record/reason.schema.json', 'utf8')))
closedAjv.addSchema(closed(JSON.parse(readFileSync('record/run-record.schema.json', 'utf8'))))
closedAjv.addSchema(resolvedRow)
const certified = ['header', 'exchange', 'oracles', 'evidence', 'footer']
for (const name of certified) closedAjv.addSchema({ $ref: `run-record.schema.json#/definitions/${name}` }, name)
await writeChecks('dist/record/file/closed-checks.js', closedAjv, {
  isClosedHeader: 'header',
  isClosedExchange: 'exchange',
  isClosedOracles: 'oracles',
  isClosedEvidence: 'evidence',
  isClosedFooter: 'footer',
})

closedAjv.addSchema(JSON.parse(readFileSync('certificate/statement.schema.json', 'utf8')), 'statement')
await writeChecks('dist/certificate/statement-check.js', closedAjv, { isStatement: 'statement' })

/** Permits no further member of an object whose members the schema lists. @param {any} schema @returns {any} */
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const own = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isOpen = own.properties && own.type === 'object' && own.additionalProperties === undefined
  return isOpen ? { ...own, additionalProperties: false } : own
}

/** @param {string} outfile @param {Ajv} compiled @param {Record<string, string>} names of schemas, by the name of the function */
async function writeChecks(outfile, compiled, names) {
  await build({
    stdin: { contents: standalone.default(compiled, names), resolveDir: '.', sourcefile: 'checks.js' },
    outfile,
    minify: true,
    bundle: true,
    format: 'esm',
    preserveSymlinks: true,
    logLevel: 'warning',
  })
}
