// Leaves the schemas of suite files as code in dist/runner/yaml: commands need not wait for it to be made.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const folder = 'suites/schema'
/** Those that other schemas are made of; the others are of whole files. */
const parts = ['look', 'matcher', 'operations', 'step']

const code = { source: true, esm: true }
const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: true, allowUnionTypes: true, code })
// What editors show in place of "does not match pattern"; ajv only has to know that it is none of its own.
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
