// Builds what is not built yet. Everything that goes into dist/ is held, by its contents, against what the last build was made of, and what
// stands in dist/ against what that build left: where both are the same there is nothing to do, and only a change of tests leaves the rest alone.
// Nothing in dist/ depends on the release of Node that built it (docs/decisions/0090).
import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'

const note = 'dist/.built.json'
const entry = 'dist/cli/conform.js'

/** What the program is made of, and what is made of all sources beside it. */
const product = [
  ...[
    'api',
    'certificate',
    'cli',
    'daml',
    'explore',
    'interface',
    'lib',
    'model',
    'proof',
    'record',
    'reports',
    'runner',
  ],
  ...['scripts', 'simulator', 'suites', 'package.json', 'package-lock.json', 'tsconfig.json'],
  // What is installed may be something else than package-lock.json asks for.
  'node_modules/.package-lock.json',
]
const beside = ['test', 'bench']

const compile = ['tsc -p tsconfig.json']
const make = [
  'tsc -p api',
  'node scripts/build-checks.mjs',
  'node scripts/build-page.mjs',
  'node dist/interface/compile-description.js',
  'node scripts/build-program.mjs',
  'node scripts/build-library.mjs',
  'node dist/cli/tool/compile-suite.js',
]

/** @param {string} place @returns {string[]} the file, or those in the folder, in an order that is always the same */
const filesIn = (place) =>
  !existsSync(place)
    ? []
    : statSync(place).isDirectory()
      ? readdirSync(place)
          .sort()
          .flatMap((name) => filesIn(join(place, name)))
      : [place]

/** Of tests the sources alone: the data beside them are read by whoever needs them. */
const isSource = (/** @type {string} */ file) => !file.startsWith('test') || file.endsWith('.ts')

function digestOf(/** @type {string[]} */ places) {
  const hash = createHash('sha256')
  for (const file of places.flatMap(filesIn).filter(isSource)) {
    const bytes = readFileSync(file)
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

/** What stands there by name, size and time: nothing but a build writes there. What the compiler notes for itself tells nothing. */
function listing(/** @type {(folder: string) => boolean} */ isWanted) {
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

const state = (/** @type {{ product: string, beside: string }} */ sources) => ({
  product: [sources.product, listing((name) => !beside.includes(name))].join(' '),
  beside: [sources.beside, listing((name) => beside.includes(name))].join(' '),
  dist: listing(() => true),
})

/** @returns {Partial<ReturnType<typeof state>>} */
function noted() {
  try {
    return JSON.parse(readFileSync(note, 'utf8'))
  } catch {
    return {}
  }
}

// Read before anything is made of them: what is changed meanwhile is not in what was built.
const sources = { product: digestOf(product), beside: digestOf(beside) }
const [before, now] = [noted(), state(sources)]
const isMade = before.product === now.product
if (!isMade || before.beside !== now.beside) {
  // Of a build that fails, nothing is known.
  rmSync(note, { force: true })
  // The compiler writes a file again only for a change of its source, and does not notice that the file is gone.
  if (before.dist !== now.dist) rmSync('dist/.tsbuildinfo', { force: true })
  try {
    run(compile)
    removeOrphans(isMade ? beside : readdirSync('dist'))
    if (!isMade) run(make)
    // In a clone npx runs this file itself.
    if (existsSync(entry)) chmodSync(entry, 0o755)
  } catch (error) {
    process.exit(Number(Object(error).status) || 1)
  }
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, JSON.stringify(state(sources)))
}

function run(/** @type {string[]} */ commands) {
  for (const command of commands) execSync(command, { stdio: 'inherit', env: tools() })
}

/** The compiler leaves what it made of a source that is gone. Commands and tests would still use it. The steps in `make` make the rest again. */
function removeOrphans(/** @type {string[]} */ folders) {
  const made = /\.js(\.map)?$/
  for (const file of folders.flatMap((folder) => filesIn(join('dist', folder)))) {
    if (made.test(file) && !existsSync(relative('dist', file).replace(made, '.ts'))) rmSync(file)
  }
}

/** Programs of packages are found without npm as well. */
function tools() {
  return {
    ...process.env,
    PATH: `${join(process.cwd(), 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  }
}
