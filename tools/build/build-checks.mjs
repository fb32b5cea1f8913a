// Compiles the schemas of suite files to dist/runner/yaml/suite-checks.js, so that commands start faster.
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
const names = readdirSync(folder).flatMap((file) => /^(.*)\.schema\.json$/.exec(file)?.[1] ?? [])
for (const name of names) {
  const file = `${name}.schema.json`
  ajv.addSchema(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')), file)
}
const kinds = names.filter((name) => !parts.includes(name)).map((name) => [name, `${name}.schema.json`])

await build({
  stdin: {
    contents: standalone.default(ajv, Object.fromEntries(kinds)),
    resolveDir: '.',
    sourcefile: 'suite-checks.js',
  },
  outfile: 'dist/runner/yaml/suite-checks.js',
  minify: true,
  bundle: true,
  format: 'esm',
  preserveSymlinks: true,
  logLevel: 'warning',
})
