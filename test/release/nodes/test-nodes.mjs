/**
 * Tests the package with several releases of Node. Usage:
 *   node test/release/nodes/test-nodes.mjs                     packs with the oldest and newest, uses with each
 *   node test/release/nodes/test-nodes.mjs --installed FOLDER  uses an installed package with both, and runs fewer rows.
 * Prints a Markdown table. Exits with 1 if a use failed, or if the registry has a newer release.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { cleanEnvironment, installNpm, installRelease, newestRelease, testedReleases } from './node-releases.mjs'

const { values } = parseArgs({ options: { installed: { type: 'string' } } })
const project = resolve('.')
const work = mkdtempSync(join(tmpdir(), 'test-nodes-'))
const [oldest = '', newest = ''] = [testedReleases[0], testedReleases.at(-1)]

/**
 * A folder with an installed package, and the environment of one release.
 * @typedef {{ folder: string, release: string, packedBy: string, file?: string, environment: NodeJS.ProcessEnv }} Place
 */

/** Throws on failure. @typedef {(place: Place) => unknown} Use */

const rows = values.installed === undefined ? 'CBI-*' : 'CBI-CONTENT*'

/** Uses of the package. @type {Record<string, Use>} */
const uses = {
  '`--version`': (place) => conform(place, '--version'),
  [`\`run --only '${rows}'\``]: (place) => conform(place, 'run', '--only', rows),
  '`simulate`': simulate,
  library: useLibrary,
}

/** @param {Omit<Place, 'environment'>} place @param {string[]} programs additional folders of programs @returns {Place} */
function placeOf(place, ...programs) {
  // Node 22.1 and later cache compiled code below TMPDIR: one folder for each release.
  const temporary = join(work, `tmp-${place.release}`)
  mkdirSync(temporary, { recursive: true })
  const own = join(place.folder, 'node_modules/.bin')
  const path = [installRelease(place.release), ...programs, own, process.env['PATH']].join(delimiter)
  return { ...place, environment: cleanEnvironment({ PATH: path, TMPDIR: temporary, CONFORM_LATE_CHECK: '0' }) }
}

/** @param {{ release: string, packedBy: string, file: string }} what @returns {Place} */
function emptyPlace(what) {
  const folder = mkdtempSync(join(work, `under-${what.release}-`))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return placeOf({ folder, ...what }, installNpm())
}

/** @param {Place} place */
function install(place) {
  // Fails if the package does not support the release.
  const options = ['--engine-strict', '--no-audit', '--no-fund', '--prefer-offline']
  run(place, 'npm', 'install', ...options, place.file ?? '')
}

/** @param {Place} place @param {string} program @param {...string} options */
function run({ folder, environment }, program, ...options) {
  const ended = spawnSync(program, options, { cwd: folder, env: environment, encoding: 'utf8', timeout: 300_000 })
  if (ended.status === 0) return ended
  const how = ended.error?.message ?? `ended with ${ended.signal ?? ended.status}`
  throw new Error(`${[program, ...options].join(' ')} ${how}\n${ended.stdout}${ended.stderr}`)
}

/** Permits only progress lines on standard error. @param {Place} place @param {...string} options */
function conform(place, ...options) {
  const { stderr } = run(place, 'participant-conformance', ...options)
  if (stderr.replace(/^(?:\d+ of \d+\b.*)?\n/gm, '') !== '')
    throw new Error(`participant-conformance ${options.join(' ')} printed\n${stderr}`)
}

/** @param {Place} place */
async function simulate({ folder, environment }) {
  const options = /** @type {const} */ ({ cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const simulator = spawn('participant-conformance', ['simulate', '--port', '0'], options)
  let errors = ''
  simulator.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const ended = once(simulator, 'close')
  const url = new Promise((resolve) => createInterface(simulator.stdout).once('line', resolve))
  const first = await Promise.race([url, ended])
  if (typeof first !== 'string') throw new Error(`simulate ended with ${first.join(' ')}\n${errors}`)
  const { status } = await fetch(`${first}/v2/version`)
  simulator.kill('SIGTERM')
  const [code, signal] = await ended
  if (status !== 200 || code !== 0 || errors !== '')
    throw new Error(`simulate answered ${status} and ended with ${signal ?? code}\n${errors}`)
}

/** Calls both functions, by `import` and by `require`. @param {Place} place */
function useLibrary(place) {
  const use = `startSimulator().then(async (participant) => {
      const { rows } = await runSuite({ target: participant.url, only: 'CBI-CONTENT*' })
      await participant.close()
      const failed = rows.filter(({ conforming }) => !conforming)
      if (rows.length === 0 || failed.length > 0) throw new Error(JSON.stringify(failed))
    })`
  const names = '{ runSuite, startSimulator }'
  writeFileSync(join(place.folder, 'import.mjs'), `import ${names} from 'participant-conformance'\n${use}`)
  writeFileSync(join(place.folder, 'require.cjs'), `const ${names} = require('participant-conformance')\n${use}`)
  for (const file of ['import.mjs', 'require.cjs']) run(place, 'node', file)
}

/** Packs a copy, because npm changes package.json while it packs. @param {string} release @returns {string} the package */
function pack(release) {
  const copy = join(work, `packed-by-${release}`)
  const notCopied = /(?:^|\/)(?:\.git|\.tap|node_modules|dist|results)$/
  cpSync(project, copy, { recursive: true, filter: (source) => !notCopied.test(source.slice(project.length)) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  run(placeOf({ folder: copy, release, packedBy: release }, installNpm()), 'npm', 'pack', '--silent')
  const [file = ''] = readdirSync(copy).filter((name) => name.endsWith('.tgz'))
  return join(copy, file)
}

/** Results of each release, for users. */
const statement = 'docs/reference/node-releases.md'

let failures = 0

/** @param {string} message */
function fail(message) {
  failures += 1
  console.error(message)
}

/** @param {Use} use @param {Place} place @returns {Promise<string>} the cell of the table */
async function outcome(use, place) {
  try {
    await use(place)
    return 'passes'
  } catch (error) {
    fail(`Node ${place.release}, packed by ${place.packedBy}: ${error instanceof Error ? error.message : error}`)
    return 'FAILS'
  }
}

/** Prints a line for each release. @param {Record<string, Use>} columns @param {Place[][]} lines */
async function printTable(columns, lines) {
  const names = ['Node', ...Object.keys(columns)]
  console.log(`| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}`)
  for (const places of lines) {
    const cells = [places[0]?.release]
    for (const use of Object.values(columns)) {
      const outcomes = []
      for (const place of places) outcomes.push(await outcome(use, place))
      cells.push([...new Set(outcomes)].join(', '))
    }
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** Checks that package.json and the page state the tested releases. */
function checkStatements() {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const lines = new Map(testedReleases.toReversed().map((release) => [release.split('.')[0], `^${release}`]))
  const stated = [...lines.values()].toReversed().join(' || ')
  if (engines.node !== stated)
    fail(`engines in package.json is "${engines.node}". The tested releases are "${stated}".`)
  const page = readFileSync(statement, 'utf8')
  for (const release of testedReleases)
    if (!page.includes(`| ${release} |`)) fail(`${statement} has no result of Node ${release}.`)
}

try {
  checkStatements()
  if (values.installed !== undefined) {
    const folder = resolve(values.installed)
    await printTable(
      uses,
      [oldest, newest].map((release) => [placeOf({ folder, release, packedBy: process.version })]),
    )
  } else {
    const packages = [oldest, newest].map((packedBy) => ({ packedBy, file: pack(packedBy) }))
    await printTable(
      { install, ...uses },
      testedReleases.map((release) => packages.map((each) => emptyPlace({ ...each, release }))),
    )
    const latest = newestRelease()
    if (latest !== newest)
      fail(`The registry has Node ${latest}. Add it to test/release/nodes/node-releases.mjs, engines and ${statement}.`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
