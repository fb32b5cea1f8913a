// Compiles the schemas of suite files to dist/runner/yaml/suite-checks.js, and that of stored facts to
// dist/reports/history/facts-check.js, so that commands start faster.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
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
const names = readdirSync(folder).flatMap((file) => /^(.*)\.schema\.json$/.exec(file)?.[1] ?? [])
for (const name of names) {
  const file = `${name}.schema.json`
  ajv.addSchema(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')), file)
}
const kinds = names.filter((name) => !parts.includes(name)).map((name) => [name, `${name}.schema.json`])

await compile(standalone.default(ajv, Object.fromEntries(kinds)), 'runner/yaml/suite-checks.js')

const ofFacts = new Ajv({ strictTuples: false, allowUnionTypes: true, code: { source: true, esm: true } })
for (const file of ['record/resolved-row', 'record/run-record', 'reports/history/stored-facts'])
  ofFacts.addSchema(JSON.parse(readFileSync(`${file}.schema.json`, 'utf8')))
await compile(
  standalone.default(ofFacts, { isStoredFacts: 'stored-facts.schema.json' }),
  'reports/history/facts-check.js',
)

/** @param {string} contents @param {string} file */
async function compile(contents, file) {
  await build({
    stdin: { contents, resolveDir: '.', sourcefile: basename(file) },
    outfile: `dist/${file}`,
    minify: true,
    bundle: true,
    format: 'esm',
    preserveSymlinks: true,
    logLevel: 'warning',
  })
}
