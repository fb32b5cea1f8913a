/**
 * Packs the tool, installs it into empty folders and uses it there under several releases of Node:
 *   node scripts/test-nodes.mjs                     packed by the oldest release and by the newest, used under every one
 *   node scripts/test-nodes.mjs --installed FOLDER  a folder where it is installed already, under the oldest and the newest alone
 * Prints a table in Markdown. Ends with 1 if anything failed, or if the registry has a release that is newer than those tested.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
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
 * A folder for the tool, and the environment in which programs of that folder run under one release.
 * @typedef {{ folder: string, release: string, packedBy: string, file?: string, environment: NodeJS.ProcessEnv }} Place
 */

/** Throws what went wrong. @typedef {(place: Place) => unknown} Use */

const notApplicable = 'has none'

/** What each release has to do in a folder where the tool is installed. @type {Record<string, Use>} */
const uses = {
  '`--version`': (place) => conform(place, '--version'),
  "`run --only 'CBI-*'`": (place) => conform(place, 'run', '--only', 'CBI-*'),
  '`simulate`': simulate,
  library: useLibrary,
  'damaged compile cache': damageCompileCache,
  // runner/transport/limit-heap-growth.ts sets it.
  'V8 flag': (place) => run(place, 'node', '--heap-growing-percent=50', '--version'),
}

/** @param {Omit<Place, 'environment'>} place @param {string[]} programs more folders of programs @returns {Place} */
function placeOf(place, ...programs) {
  // Node keeps compiled code below TMPDIR (22.1 and later): here that of this release alone.
  const temporary = join(work, `tmp-${place.release}`)
  mkdirSync(temporary, { recursive: true })
  const own = join(place.folder, 'node_modules/.bin')
  const path = [installRelease(place.release), ...programs, own, process.env['PATH']].join(delimiter)
  return { ...place, environment: cleanEnvironment({ PATH: path, TMPDIR: temporary, CONFORM_LATE_LOOK: '0' }) }
}

/** @param {{ release: string, packedBy: string, file: string }} what @returns {Place} */
function emptyPlace(what) {
  const folder = mkdtempSync(join(work, `under-${what.release}-`))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return placeOf({ folder, ...what }, installNpm())
}

/** @param {Place} place */
function install(place) {
  // With this option npm fails where a package does not support the release, and only warns otherwise.
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

/** On standard error it may print the progress of a run, and nothing else. @param {Place} place @param {...string} options */
function conform(place, ...options) {
  const { stderr } = run(place, 'participant-conformance', ...options)
  if (stderr.replace(/^(?:\d+ of \d+\b.*)?\n/gm, '') !== '')
    throw new Error(`participant-conformance ${options.join(' ')} printed\n${stderr}`)
}

/** @param {Place} place */
async function simulate({ folder, environment }) {
  const options = /** @type {const} */ ({ cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const simulator = spawn('participant-conformance', ['simulate', '--port', '0'], options)
  let complaints = ''
  simulator.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text
  })
  const ended = once(simulator, 'close')
  const url = new Promise((resolve) => createInterface(simulator.stdout).once('line', resolve))
  const first = await Promise.race([url, ended])
  if (typeof first !== 'string') throw new Error(`simulate ended with ${first.join(' ')}\n${complaints}`)
  const { status } = await fetch(`${first}/v2/version`)
  simulator.kill('SIGTERM')
  const [code, signal] = await ended
  if (status !== 200 || code !== 0 || complaints !== '')
    throw new Error(`simulate answered ${status} and ended with ${signal ?? code}\n${complaints}`)
}

/** Both functions, imported and required. @param {Place} place */
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

/** What Node 22.1 and later keep of the commands above: empty files, and files that were cut, are ignored. @param {Place} place */
function damageCompileCache(place) {
  const files = readdirSync(place.environment['TMPDIR'] ?? '', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('node-compile-cache'))
    .map((entry) => join(entry.parentPath, entry.name))
  if (files.length === 0) return notApplicable
  for (const [index, file] of files.entries()) truncateSync(file, index % 2 === 0 ? 0 : 100)
  conform(place, '--version')
  conform(place, 'run', '--only', 'CBI-CONTENT*')
}

/** Packs a copy: npm changes package.json meanwhile. @param {string} release @returns {string} the package */
function pack(release) {
  const copy = join(work, `packed-by-${release}`)
  const notCopied = /(?:^|\/)(?:\.git|\.tap|node_modules|dist|results)$/
  cpSync(project, copy, { recursive: true, filter: (source) => !notCopied.test(source.slice(project.length)) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  run(placeOf({ folder: copy, release, packedBy: release }, installNpm()), 'npm', 'pack', '--silent')
  const [file = ''] = readdirSync(copy).filter((name) => name.endsWith('.tgz'))
  return join(copy, file)
}

let failures = 0

/** @param {string} message */
function fail(message) {
  failures += 1
  console.error(message)
}

/** @param {Use} use @param {Place} place @returns {Promise<string>} what stands in the table */
async function outcome(use, place) {
  try {
    return (await use(place)) === notApplicable ? notApplicable : 'passes'
  } catch (error) {
    fail(`Node ${place.release}, packed by ${place.packedBy}: ${error instanceof Error ? error.message : error}`)
    return 'FAILS'
  }
}

/** Prints a table with a line for each release: what it did in all its places. @param {Record<string, Use>} columns @param {Place[][]} lines */
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

/** The package and the page state what is tested here. */
function checkStatements() {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const lines = new Map(testedReleases.toReversed().map((release) => [release.split('.')[0], `^${release}`]))
  const stated = [...lines.values()].toReversed().join(' || ')
  if (engines.node !== stated)
    fail(`engines in package.json is "${engines.node}". The tested releases are "${stated}".`)
  const page = readFileSync('README.md', 'utf8')
  for (const release of testedReleases)
    if (!page.includes(`| ${release} |`)) fail(`README.md has no result of Node ${release}.`)
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
      fail(`The registry has Node ${latest}. Add it to scripts/node-releases.mjs, engines and README.md.`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
