/**
 * Runs all test files, several processes at a time; options of Node that this script was started with are handed on to each:
 *   node --enable-source-maps scripts/test-files.mjs
 * Files that take long have a process each and come first, as nothing would go on beside them at the end; the others share one
 * with their neighbours, as loading costs most of them more than what they test. Ends with 1 where a test failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'

/** More than two processors can work at: many tests wait. */
const concurrency = 4
/** Each some ten seconds or more, of work or of waiting; the longest first. */
const apart = [
  ...[
    'cli/commands/conform',
    'tool/documented-commands',
    'tool/package',
    'cli/output/ended-runs',
    'explore/explore',
    'cli/target/targets-table',
    'cli/output/broken-checks',
  ],
  ...[
    'cli/output/withdrawn-users',
    'proof/variants',
    'proof/prove',
    'explore/histories',
    'tool/ci-examples',
    'reports/page/report-views',
    'simulator/ledger/in-flight',
  ],
  ...[
    'runner/execute/without-preparing',
    'certificate/certificate',
    'certificate/re-signed',
    'runner/transport/hostile-answers',
    'runner/transport/hostile',
    'daml/daml-machine',
    'explore/explored-cases',
  ],
  ...['reports/page/report-browser', 'cli/commands/explore-command'],
]
/** So many of the others in one process. */
const groupSize = 10

/** V8 optimizes later what tests run (docs/decisions/0090). No line but Node 20 knows this flag, and a later Node does not start with it. */
const lateOptimization = process.version.startsWith('v20.') ? ['--interrupt-budget=400000'] : []

const folder = 'dist/test'
const ending = '.test.js'

/** Folders or files below test/, without an ending; all of them if none is named. */
const parts = process.argv.slice(2).map((part) => part.replace(/^test\/|\/$/g, ''))

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length).replaceAll('\\', '/'))
  .filter((name) => parts.length === 0 || parts.some((part) => name === part || name.startsWith(`${part}/`)))
  .sort()
if (names.length === 0) {
  console.error(`no test file is in ${parts.join(', ')}: name folders below test/, such as runner/judge`)
  process.exit(1)
}
const others = names.filter((name) => !apart.includes(name))
const groups = Array.from({ length: Math.ceil(others.length / groupSize) }, (_, index) =>
  others.slice(index * groupSize, (index + 1) * groupSize),
)
const waiting = [...apart.filter((name) => names.includes(name)).map((name) => [name]), ...groups]

/** @typedef {{ ok: boolean, closingTestPoint: boolean, fullname: string, diag: object | null }} Result */

/** Calls back with each test that fails, at whatever depth; those that fail by what is in them are not told beside it. */
function watch(/** @type {Parser} */ parser, /** @type {(result: Result) => void} */ failed) {
  parser.on('assert', (result) => {
    if (!result.ok && !result.closingTestPoint) failed(result)
  })
  parser.on('child', (child) => watch(child, failed))
}

/** @param {string[]} group @returns {Promise<boolean>} whether all went well */
async function runGroup(group) {
  const began = performance.now()
  const files = group.map((name) => join(folder, `${name}${ending}`))
  const script = files.length > 1 ? ['dist/test/support/processes/test-group.js'] : []
  const options = [...process.execArgv, ...lateOptimization, ...script, ...files]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  const parser = new Parser()
  const told = { last: '', complaints: '', failures: 0 }
  watch(parser, ({ fullname, diag }) => {
    told.failures += 1
    console.log(`not ok: ${group.join(', ')}: ${fullname}\n${inspect(diag, { depth: 6, maxStringLength: 2000 })}`)
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told.last = `${told.last}${text}`.slice(-4000)
    parser.write(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told.complaints += text
  })
  const complete = once(parser, 'complete')
  const [code] = await once(child, 'close')
  parser.end()
  const [{ ok, count }] = await complete
  const isWell = ok && code === 0
  // Where a process ends in the middle of a test, none has failed.
  if (!isWell) console.log(`${told.failures > 0 ? '' : told.last}${told.complaints}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${isWell ? 'ok' : 'NOT OK'}: ${group.join(', ')} (${count} tests, ${seconds} s)`)
  return isWell
}

let isWell = true
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) isWell = (await runGroup(group)) && isWell
  }),
)
if (!isWell) process.exitCode = 1
