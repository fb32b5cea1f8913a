// Bundles the page of the HTML report into dist/reports/page, as one script and one style sheet, and compiles the checks of records.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const folder = 'dist/reports/page'

/** Permitted modules of the page: each bundled package enlarges every report. */
const allowed =
  /^(?:reports|record|interface|lib)\/|^node_modules\/preact\/|^(?:\.\.\/)*record\/file\/record-checks\.js$/

/** The policy of the page forbids code from strings, which ajv uses at run time: compiles the checks now. */
const recordChecks = {
  name: 'record-checks',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /\/record-checks\.js$/ }, ({ path }) => ({ path, namespace: 'compiled' }))
    build.onLoad({ filter: /.*/, namespace: 'compiled' }, () => ({ contents: writeChecks(), loader: 'js' }))
  },
}

function writeChecks() {
  // `inlineRefs: false` keeps each report small: shared definitions occur once.
  const ajv = new Ajv({
    strictTuples: false,
    allowUnionTypes: true,
    inlineRefs: false,
    code: { source: true, esm: true },
  })
  for (const name of ['run-record', 'resolved-row'])
    ajv.addSchema(JSON.parse(readFileSync(`record/${name}.schema.json`, 'utf8')))
  const names = ['header', 'shared', 'plan', 'row', 'oracles', 'footer']
  for (const name of names) ajv.addSchema({ $ref: `run-record.schema.json#/definitions/${name}` }, name)
  return standalone.default(ajv, {
    isHeader: 'header',
    isShared: 'shared',
    isPlan: 'plan',
    isRow: 'row',
    isOracles: 'oracles',
    isFooter: 'footer',
  })
}

await build({
  stdin: { contents: writeChecks(), resolveDir: '.', sourcefile: 'record-checks.js' },
  outfile: 'dist/record/file/record-checks.js',
  minify: true,
  bundle: true,
  format: 'esm',
  preserveSymlinks: true,
  logLevel: 'warning',
})

const license = readFileSync('node_modules/preact/LICENSE', 'utf8').trim()
const result = await build({
  entryPoints: { page: 'reports/page/main.tsx' },
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  banner: { js: `/* This program contains Preact.\n${license}\n*/` },
  tsconfig: 'reports/page/tsconfig.json',
  plugins: [recordChecks],
  metafile: true,
  // node_modules may be a link.
  preserveSymlinks: true,
  write: false,
  logLevel: 'warning',
})

const foreign = Object.keys(result.metafile.inputs)
  .map((path) => path.replace(/^compiled:/, ''))
  .filter((path) => !allowed.test(path))
if (foreign.length > 0) throw new Error(`the page of the HTML report must not import ${foreign.join(', ')}`)

await mkdir(folder, { recursive: true })
for (const { path, text } of result.outputFiles) {
  // The HTML contains the files unescaped.
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${path} contains text that ends its HTML element`)
  await writeFile(path, text)
}
