// Puts the program together in dist/program: one file of all that it is made of, so that a command does not look for hundreds, and
// the licenses of the packages in it. What V8 makes of the one before must not outlive it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'

const folder = 'dist/program'
const file = `${folder}/program.cjs`

/** Sources name files beside themselves; they are where they were. */
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

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { metafile } = await build({
  entryPoints: ['dist/cli/program.js'],
  outfile: file,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'ascii',
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
