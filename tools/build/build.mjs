// Builds dist/, unless neither the sources nor dist/ changed since the last build. After a change of tests alone, compiles only. The result does
// not depend on the release of Node (docs/decisions/0090).
import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'

const note = 'dist/.built.json'
const entry = 'dist/cli/conform.js'

/** Folders of dist/ that are not part of the program. */
const additional = ['lab', 'test', 'tools']
/** @type {{ include: string[] }} */
const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
const isAdditional = (/** @type {string} */ folder) => additional.includes(folder.replace(/\/.*/, ''))
/** Sources of the program, and what its build reads. */
const product = [
  ...include.filter((folder) => !isAdditional(folder)),
  ...['model', 'tools/build', 'suites', 'package.json', 'package-lock.json', 'tsconfig.json'],
  // The installed packages may differ from package-lock.json.
  'node_modules/.package-lock.json',
]

const compile = ['tsc -p tsconfig.json']
const buildSteps = [
  'tsc -p api',
  'node tools/build/build-checks.mjs',
  'node tools/build/build-page.mjs',
  'node dist/interface/compile-description.js',
  'node tools/build/build-program.mjs',
  'node tools/build/build-library.mjs',
  'node dist/cli/tool/compile-suite.js',
]

/** @param {string} place @returns {string[]} the file, or all files of the folder, in a fixed order */
const filesIn = (place) =>
  !existsSync(place)
    ? []
    : statSync(place).isDirectory()
      ? readdirSync(place)
          .sort()
          .flatMap((name) => filesIn(join(place, name)))
      : [place]

/** Data of tests are not compiled. */
const isSource = (/** @type {string} */ file) => !file.startsWith('test') || file.endsWith('.ts')

function digestOf(/** @type {string[]} */ places) {
  const hash = createHash('sha256')
  for (const file of places.flatMap(filesIn).filter(isSource)) {
    const bytes = readFileSync(file)
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

/** A digest of names, sizes and times in dist/, without the state of the compiler. */
function digestOfBuild(/** @type {(folder: string) => boolean} */ isWanted) {
  const folders = existsSync('dist')
    ? readdirSync('dist').filter((name) => !name.startsWith('.') && isWanted(name))
    : []
  const hash = createHash('sha256')
  for (const file of folders.sort().flatMap((name) => filesIn(join('dist', name)))) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

const state = (/** @type {{ product: string, additional: string }} */ sources) => ({
  product: [sources.product, digestOfBuild((name) => !additional.includes(name))].join(' '),
  additional: [sources.additional, digestOfBuild((name) => additional.includes(name))].join(' '),
  dist: digestOfBuild(() => true),
})

/** @returns {Partial<ReturnType<typeof state>>} the state after the last build */
function lastState() {
  try {
    return JSON.parse(readFileSync(note, 'utf8'))
  } catch {
    return {}
  }
}

// Read before the build: a change during the build is not part of it.
const sources = { product: digestOf(product), additional: digestOf(include.filter(isAdditional)) }
const [before, now] = [lastState(), state(sources)]
const isProductCurrent = before.product === now.product
if (!isProductCurrent || before.additional !== now.additional) {
  // A failed build has no state.
  rmSync(note, { force: true })
  // The incremental compiler does not notice a missing output file.
  if (before.dist !== now.dist) rmSync('dist/.tsbuildinfo', { force: true })
  try {
    run(compile)
    removeOrphans(isProductCurrent ? additional : readdirSync('dist'))
    if (!isProductCurrent) run(buildSteps)
    // npx runs this file in a clone.
    if (existsSync(entry)) chmodSync(entry, 0o755)
  } catch (error) {
    process.exit(Number(Object(error).status) || 1)
  }
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, JSON.stringify(state(sources)))
}

function run(/** @type {string[]} */ commands) {
  for (const command of commands) execSync(command, { stdio: 'inherit', env: environment() })
}

/** Removes outputs of removed sources, which the compiler keeps. The build steps write the other files again. */
function removeOrphans(/** @type {string[]} */ folders) {
  const compiled = /\.js(\.map)?$/
  for (const file of folders.flatMap((folder) => filesIn(join('dist', folder)))) {
    if (compiled.test(file) && !existsSync(relative('dist', file).replace(compiled, '.ts'))) rmSync(file)
  }
}

/** The environment with the programs of packages, also without npm. */
function environment() {
  return {
    ...process.env,
    PATH: `${join(process.cwd(), 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  }
}
