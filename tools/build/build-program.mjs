// Bundles the commands, the embedded simulator and the library into dist/cli/*bundle.js, dist/api/library.js and dist/program, with the
// licenses of the bundled packages. A command reads few files, and none that only other commands need.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'

const folder = 'dist/program'

/** Keeps `import.meta.url` the URL of the original module, which finds its files by it. The URL works from each folder of an output. */
const keepUrls = {
  name: 'keep-urls',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const place = relative(folder, path).split(sep).join('/')
      const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'js' }
    })
  },
}

/** CommonJS packages call `require` for modules of Node. */
const require =
  "import { createRequire as createRequireOfBundle } from 'node:module'\nconst require = createRequireOfBundle(import.meta.url)"

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { metafile } = await build({
  entryPoints: [
    { in: 'dist/cli/main.js', out: 'cli/bundle' },
    { in: 'dist/cli/target/serve-simulator.js', out: 'cli/simulator-bundle' },
    { in: 'dist/api/index.js', out: 'api/library' },
  ],
  outdir: 'dist',
  chunkNames: 'program/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.10',
  format: 'esm',
  charset: 'ascii',
  banner: { js: require },
  plugins: [keepUrls],
  metafile: true,
  // node_modules may be a link.
  preserveSymlinks: true,
  logLevel: 'warning',
})
writeLicenses(Object.keys(metafile.inputs))

/** @param {string[]} inputs */
function writeLicenses(inputs) {
  const packages = new Set(inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []))
  const texts = [...packages].sort().map((home) => {
    const { name, version, license } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'))
    const names = readdirSync(home).filter((each) => /^(?:licen[cs]e|notice)/i.test(each))
    const parts = names.sort().map((each) => readFileSync(join(home, each), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...parts].join('\n\n')
  })
  writeFileSync(`${folder}/LICENSES.txt`, `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
