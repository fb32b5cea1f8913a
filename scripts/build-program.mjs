// Bundles the commands into dist/cli/bundle.js and dist/program: one file for each group of modules that the same commands need. A command
// then reads a few files in place of hundreds, and none that only other commands need. The licenses of the bundled packages stand beside them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'

const folder = 'dist/program'

/** A module finds the files beside its source by `import.meta.url`, which has to stay the URL of that source: from both folders it is `../`. */
const ownPlaces = {
  name: 'own-places',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const place = relative(folder, path).split(sep).join('/')
      const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'js' }
    })
  },
}

/** Packages in CommonJS call `require` for modules of Node. An ES module has none. */
const require =
  "import { createRequire as createRequireOfBundle } from 'node:module'\nconst require = createRequireOfBundle(import.meta.url)"

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { metafile } = await build({
  entryPoints: [{ in: 'dist/cli/program.js', out: 'cli/bundle' }],
  outdir: 'dist',
  chunkNames: 'program/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.10',
  format: 'esm',
  charset: 'ascii',
  banner: { js: require },
  plugins: [ownPlaces],
  metafile: true,
  // node_modules itself may be a link to where the packages are.
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
