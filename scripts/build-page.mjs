// Bundles the page of the HTML report into dist/reports/page: one script, one style sheet, nothing to load. Leaves the checks of
// a record, which it needs, in dist/record as well.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const folder = 'dist/reports/page'

/** What the page may be made of. The check of imports sees no packages, and one that is bundled by chance costs every report. */
const allowed =
  /^(?:reports|record|interface|lib)\/|^node_modules\/preact\/|^(?:\.\.\/)*record\/file\/record-checks\.js$/

/** The page's policy forbids code made of text, which is how ajv works; so its checks of a record are written out here. */
const recordChecks = {
  name: 'record-checks',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /\/record-checks\.js$/ }, ({ path }) => ({ path, namespace: 'made' }))
    build.onLoad({ filter: /.*/, namespace: 'made' }, () => ({ contents: writeChecks(), loader: 'js' }))
  },
}

function writeChecks() {
  // Definitions that are used several times are written once, or they would be a good part of each report.
  const ajv = new Ajv({
    strictTuples: false,
    allowUnionTypes: true,
    inlineRefs: false,
    code: { source: true, esm: true },
  })
  for (const name of ['run-record', 'resolved-row'])
    ajv.addSchema(JSON.parse(readFileSync(`record/${name}.schema.json`, 'utf8')))
  const names = ['header', 'plan', 'row', 'footer']
  for (const name of names) ajv.addSchema({ $ref: `run-record.schema.json#/definitions/${name}` }, name)
  return standalone.default(ajv, { isHeader: 'header', isPlan: 'plan', isRow: 'row', isFooter: 'footer' })
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
  // node_modules itself may be a link to where the packages are.
  preserveSymlinks: true,
  write: false,
  logLevel: 'warning',
})

const foreign = Object.keys(result.metafile.inputs)
  .map((path) => path.replace(/^made:/, ''))
  .filter((path) => !allowed.test(path))
if (foreign.length > 0) throw new Error(`the page of the report must not import ${foreign.join(', ')}`)

await mkdir(folder, { recursive: true })
for (const { path, text } of result.outputFiles) {
  // The files stand inside the HTML as they are, so nothing in them may end their element.
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${path} has text in it that would end its element`)
  await writeFile(path, text)
}
