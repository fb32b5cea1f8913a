// Bundles the library into dist/api/library.cjs for programs that `require` it, and leaves its declarations as those of a CommonJS module.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'

const folder = 'dist/api'

/** A module finds the files beside its source by `import.meta.url`, which has to stay the URL of that source. */
const ownPlaces = {
  name: 'own-places',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const place = relative(folder, path).split(sep).join('/')
      const url = `new URL(${JSON.stringify(place)}, require('node:url').pathToFileURL(__filename)).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'js' }
    })
  },
}

const { metafile } = await build({
  entryPoints: [`${folder}/index.js`],
  outfile: `${folder}/library.cjs`,
  bundle: true,
  platform: 'node',
  target: 'node20.10',
  format: 'cjs',
  // It is read as Latin 1.
  charset: 'ascii',
  plugins: [ownPlaces],
  metafile: true,
  // node_modules itself may be a link to where the packages are.
  preserveSymlinks: true,
  logLevel: 'warning',
})
copyFileSync('api/index.cjs', `${folder}/index.cjs`)
requireLicenses(Object.keys(metafile.inputs))
writeDeclarations()

/** The program bundles the same packages and more, so their licenses stand in the package once. */
function requireLicenses(/** @type {string[]} */ inputs) {
  const licenses = readFileSync('dist/program/LICENSES.txt', 'utf8')
  for (const home of new Set(
    inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  )) {
    const { name, version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'))
    if (!licenses.includes(`${name} ${version} (`))
      throw new Error(`${name} ${version} is not in dist/program/LICENSES.txt`)
  }
}

function writeDeclarations() {
  const names = readdirSync(folder, { recursive: true }).map(String)
  for (const name of names.filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8').replace(/(from '\.[^']*)\.js'/g, "$1.cjs'")
    writeFileSync(join(folder, name.replace(/\.ts$/, '.cts')), text)
  }
}
