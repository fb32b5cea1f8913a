// Bundles the library into dist/api/library.cjs for `require`, and writes its declarations for CommonJS.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'

const folder = 'dist/api'

/** Keeps `import.meta.url` the URL of the original module, which finds its files by it. */
const keepUrls = {
  name: 'keep-urls',
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
  // api/index.cjs reads it as Latin 1.
  charset: 'ascii',
  plugins: [keepUrls],
  metafile: true,
  // node_modules may be a link.
  preserveSymlinks: true,
  logLevel: 'warning',
})
copyFileSync('api/index.cjs', `${folder}/index.cjs`)
requireLicenses(Object.keys(metafile.inputs))
writeDeclarations()

/** Checks that the licenses of the program include those of the library, which are not stored again. */
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
