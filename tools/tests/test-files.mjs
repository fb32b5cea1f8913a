/**
 * Runs test files:
 *   node tools/tests/test-files.mjs [folder or file below test/...]
 * Several processes take files from one queue, because most of the time of a short file is loading. Files that needed the most processor time
 * in earlier runs come first. Without arguments, the files of the release and of the endurance tests do not run. Exits with 1 if a test failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'
import { processorSeconds } from './processor-time.mjs'

/** More than processors, because many tests wait. */
const concurrency = 3
/** A file without a known time: about a second for this number of bytes. */
const bytesPerSecond = 10_000
const slowest = 12

const folder = 'dist/test'
const ending = '.test.js'
const apart = ['release/', 'endurance/']
const timesFile = 'node_modules/.cache/participant-conformance/test-times.json'

const options = [
  '--enable-source-maps',
  '--max-semi-space-size=64',
  // Delays optimization by V8 (docs/decisions/0090). Only Node 20 knows this flag; later releases do not start with it.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=400000'] : []),
]

/** @typedef {{ ok: boolean, closingTestPoint: boolean, fullname: string, diag: object | null }} Result */

/** @returns {Record<string, number>} processor seconds by name */
function earlierTimes() {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

/** @param {string[]} given folders or files, as below test/ or as a path. A part that matches nothing ends the program. */
function namesIn(given) {
  const parts = given.map((part) => part.replace(/^test\//, '').replace(/(?:\.test\.ts|\/)$/, ''))
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length).replaceAll('\\', '/'))
  if (parts.length === 0) return all.filter((name) => !apart.some((part) => name.startsWith(part)))
  const matches = (/** @type {string} */ name, /** @type {string} */ part) =>
    name === part || name.startsWith(`${part}/`)
  const unknown = parts.find((part) => !all.some((name) => matches(name, part)))
  if (unknown !== undefined) {
    console.error(`test/${unknown}: no test has this name`)
    process.exit(2)
  }
  return all.filter((name) => parts.some((part) => matches(name, part)))
}

const fileOf = (/** @type {string} */ name) => join(folder, `${name}${ending}`)

/** Calls `failed` for each failed test at any depth, but not for its parents. */
function watch(/** @type {Parser} */ parser, /** @type {(result: Result) => void} */ failed) {
  parser.on('assert', (result) => {
    if (!result.ok && !result.closingTestPoint) failed(result)
  })
  parser.on('child', (child) => watch(child, failed))
}

const times = earlierTimes()
const parts = process.argv.slice(2).map((part) => part.replace(/^test\/|\/$/g, ''))
const expected = (/** @type {string} */ name) => times[name] ?? statSync(fileOf(name)).size / bytesPerSecond
const names = namesIn(parts)
const waiting = names.toSorted((a, b) => expected(b) - expected(a))
if (waiting.length === 0) {
  console.error(`no test file in ${parts.join(', ')}: name folders or files below test/, such as runner/judge`)
  process.exit(1)
}
/** Processor seconds of this run. @type {Map<string, number>} */
const measured = new Map()
const counts = { passed: 0, failed: 0 }
/** Files whose tests a process printed. @type {Set<string>} */
const started = new Set()

/** A process that runs files until none waits. A crash fails its file; the caller starts another process for the next one. */
async function runWorker() {
  const worker = spawn(process.execPath, [...options, `${folder}/support/processes/test-worker.js`], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  /** @type {{ file: string | undefined, seconds: number, failures: number, last: string, errors: string }} */
  const state = { file: undefined, seconds: 0, failures: 0, last: '', errors: '' }
  const closeFile = () => {
    if (state.file === undefined) return
    const seconds = processorSeconds(worker.pid ?? 0)
    measured.set(state.file, seconds - state.seconds)
    state.seconds = seconds
  }
  worker.on('message', (message) => {
    // tap sends messages of its own, such as its time limit.
    if (message !== 'next') return
    closeFile()
    state.file = waiting.shift()
    worker.send(state.file === undefined ? '' : fileOf(state.file))
  })
  const parser = new Parser()
  let printing = ''
  parser.on('child', (child) =>
    child.on('comment', (/** @type {string} */ text) => {
      const file = /^# file: (\S+)/.exec(text)?.[1]
      if (file === undefined) return
      printing = file
      started.add(file)
    }),
  )
  watch(parser, ({ fullname, diag }) => {
    state.failures += 1
    counts.failed += 1
    console.log(`not ok: ${printing}: ${fullname}\n${inspect(diag, { depth: 6, maxStringLength: 2000 })}`)
  })
  worker.stdout.setEncoding('utf8').on('data', (text) => {
    state.last = `${state.last}${text}`.slice(-4000)
    parser.write(text)
  })
  worker.stderr.setEncoding('utf8').on('data', (text) => {
    state.errors = `${state.errors}${text}`.slice(-20_000)
  })
  const complete = once(parser, 'complete')
  const [code] = await once(worker, 'close')
  parser.end()
  const [{ ok, pass }] = await complete
  counts.passed += pass
  if (ok && code === 0) return
  if (state.failures === 0) counts.failed += 1
  // A process that crashes in a test reports no failure.
  const crashed = state.file === undefined ? '' : `not ok: ${state.file}: its process ended with ${code}\n${state.last}`
  console.log(`${crashed}${state.errors}`)
}

async function runWorkers() {
  while (waiting.length > 0) await runWorker()
}

await Promise.all(Array.from({ length: concurrency }, runWorkers))
for (const name of names.filter((each) => !started.has(fileOf(each)))) {
  counts.failed += 1
  console.log(`not ok: ${name} did not run`)
}

mkdirSync(dirname(timesFile), { recursive: true })
writeFileSync(timesFile, JSON.stringify({ ...times, ...Object.fromEntries(measured) }))
const sorted = [...measured].sort(([, a], [, b]) => b - a)
const sum = sorted.reduce((total, [, seconds]) => total + seconds, 0)
console.log(`Processor seconds of ${sorted.length} test files: ${sum.toFixed(0)}. The slowest:`)
for (const [name, seconds] of sorted.slice(0, slowest)) console.log(`${seconds.toFixed(1).padStart(6)}  ${name}`)
console.log(`${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
