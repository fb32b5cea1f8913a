// Bundles the page of the HTML report into dist/reports/page, as one script and one style sheet.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const folder = 'dist/reports/page'

/** Permitted modules of the page: each bundled package enlarges every report. */
const allowed = /^(?:reports|record|interface|lib)\/|^node_modules\/preact\//

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
  metafile: true,
  // node_modules may be a link.
  preserveSymlinks: true,
  write: false,
  logLevel: 'warning',
})

const foreign = Object.keys(result.metafile.inputs).filter((path) => !allowed.test(path))
if (foreign.length > 0) throw new Error(`the page of the HTML report must not import ${foreign.join(', ')}`)

await mkdir(folder, { recursive: true })
for (const { path, text } of result.outputFiles) {
  // The HTML contains the files unescaped.
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${path} contains text that ends its HTML element`)
  await writeFile(path, text)
}
