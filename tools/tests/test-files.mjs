/**
 * Runs test files in several processes, with the Node options of this script:
 *   node --enable-source-maps tools/tests/test-files.mjs [folder or file...]
 * Slow files run first, each in its own process. Other files share processes, because most of their time is loading. Exits with 1 if a
 * test failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'

/** Processes: more than processors, because many tests wait. */
const concurrency = 4
/** Files of about ten seconds or more, the slowest first. */
const slow = [
  ...[
    'cli/commands/conform',
    'tool/package',
    'tool/ci-examples',
    'learn/learn',
    'explore/explore',
    'cli/target/targets-table',
    'cli/output/ended-runs',
    'certificate/re-signed',
    'record/given-fixtures',
    'learn/recorded-lines',
    'cli/output/withdrawn-users',
    'tool/documented-commands',
  ],
  ...[
    'cli/output/broken-checks',
    'cli/output/pasted-run',
    'certificate/certificate',
    'explore/histories',
    'proof/prove',
    'explore/known-differences',
    'runner/execute/without-preparing',
    'daml/daml-machine',
    'explore/explored-cases',
    'daml/own-packages',
    'proof/variants',
    'explore/live-participants',
  ],
  ...['cli/commands/explore-command', 'runner/transport/hostile', 'learn/agreement', 'cli/commands/suggestions'],
  ...['runner/transport/hostile-answers', 'reports/page/report-views', 'reports/page/report-browser'],
]
/** Other files in one process. */
const groupSize = 10

/** Delays optimization by V8 (docs/decisions/0090). Only Node 20 knows this flag; later releases do not start with it. */
const lateOptimization = process.version.startsWith('v20.') ? ['--interrupt-budget=400000'] : []

const folder = 'dist/test'
const ending = '.test.js'

/** Folders or files below test/, without an ending. Default: all. */
const parts = process.argv.slice(2).map((part) => part.replace(/^test\/|\/$/g, ''))

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length).replaceAll('\\', '/'))
  .filter((name) => parts.length === 0 || parts.some((part) => name === part || name.startsWith(`${part}/`)))
  .sort()
if (names.length === 0) {
  console.error(`no test file in ${parts.join(', ')}: name folders or files below test/, such as runner/judge`)
  process.exit(1)
}
const others = names.filter((name) => !slow.includes(name))
const groups = Array.from({ length: Math.ceil(others.length / groupSize) }, (_, index) =>
  others.slice(index * groupSize, (index + 1) * groupSize),
)
const waiting = [...slow.filter((name) => names.includes(name)).map((name) => [name]), ...groups]

/** @typedef {{ ok: boolean, closingTestPoint: boolean, fullname: string, diag: object | null }} Result */

/** Calls `failed` for each failed test at any depth, but not for its parents. */
function watch(/** @type {Parser} */ parser, /** @type {(result: Result) => void} */ failed) {
  parser.on('assert', (result) => {
    if (!result.ok && !result.closingTestPoint) failed(result)
  })
  parser.on('child', (child) => watch(child, failed))
}

/** @param {string[]} group @returns {Promise<boolean>} whether all tests passed */
async function runGroup(group) {
  const began = performance.now()
  const files = group.map((name) => join(folder, `${name}${ending}`))
  const script = files.length > 1 ? ['dist/test/support/processes/test-group.js'] : []
  const options = [...process.execArgv, ...lateOptimization, ...script, ...files]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  const parser = new Parser()
  const output = { last: '', errors: '', failures: 0 }
  watch(parser, ({ fullname, diag }) => {
    output.failures += 1
    console.log(`not ok: ${group.join(', ')}: ${fullname}\n${inspect(diag, { depth: 6, maxStringLength: 2000 })}`)
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.last = `${output.last}${text}`.slice(-4000)
    parser.write(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.errors += text
  })
  const complete = once(parser, 'complete')
  const [code] = await once(child, 'close')
  parser.end()
  const [{ ok, count }] = await complete
  const hasPassed = ok && code === 0
  // A process that crashes in a test reports no failure.
  if (!hasPassed) console.log(`${output.failures > 0 ? '' : output.last}${output.errors}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${hasPassed ? 'ok' : 'NOT OK'}: ${group.join(', ')} (${count} tests, ${seconds} s)`)
  return hasPassed
}

let hasPassed = true
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) hasPassed = (await runGroup(group)) && hasPassed
  }),
)
if (!hasPassed) process.exitCode = 1
