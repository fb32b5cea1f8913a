/**
 * Counts the source files, and those whose functions run for one row, for one submission and for reading the suite:
 *   npm run measure:reading [-- --list]
 * V8 counts calls of functions. A file counts if one of its functions runs; its top level alone does not count.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runSuite, startSimulator } from '../../dist/api/index.js'
import { loadFromYaml } from '../../dist/runner/load/load-suite.js'

const dist = new URL('../../dist/', import.meta.url)
const session = new Session()
session.connect()
await session.post('Profiler.enable')

const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => !/^(?:examples|test|tools)\//.test(file))
const lengths = sources.map((file) => readFileSync(file, 'utf8').split('\n').length - 1).toSorted((a, b) => a - b)
const folders = new Map()
for (const file of sources) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
console.log(`files ${sources.length}, median of lines ${lengths[lengths.length >> 1]}`)
console.log(`lines ${lengths.reduce((sum, length) => sum + length, 0)}`)
console.log(`files of the largest folder ${Math.max(...folders.values())}`)
let submissions = 0
const simulator = await startSimulator({ parties: ['alice', 'bob'] })

console.log(
  `reading the suite   ${await filesOf(() => loadFromYaml(fileURLToPath(new URL('../../suites', import.meta.url))))}`,
)
console.log(`one submission      ${await filesOf(submit)}`)
await simulator.close()
console.log(`one row             ${await filesOf(runRow)}`)

async function submit() {
  submissions++
  const { alice, bob } = simulator.parties
  const command = {
    templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
    createArguments: { id: 'measured', initiator: alice, responder: bob },
  }
  const response = await fetch(`${simulator.url}/v2/commands/submit-and-wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      commands: [{ CreateCommand: command }],
      commandId: `measured-${submissions}`,
      actAs: [alice],
      userId: 'participant_admin',
    }),
  })
  if (response.status !== 200)
    throw new Error(`the submission failed with ${response.status}: ${await response.text()}`)
}

/** The participant is a separate process, so only the runner counts. */
async function runRow() {
  const participant = spawn(process.execPath, [
    fileURLToPath(new URL('cli/conform.js', dist)),
    'simulate',
    '--port',
    '0',
  ])
  try {
    for await (const line of createInterface({ input: participant.stdout })) {
      const target = /http:\/\/[\d.:]+/.exec(line)?.[0]
      if (target === undefined) continue
      const result = await runSuite({ target, only: 'SAW-WINDOW-OVER/only' })
      if (result.rows.length !== 1) throw new Error(`${result.rows.length} rows instead of one`)
      return
    }
  } finally {
    participant.kill()
    await once(participant, 'close')
  }
}

/** @param {() => Promise<unknown>} action */
async function filesOf(action) {
  // The first time also loads modules, which runs functions of their top level.
  await action()
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await action()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const files = result.filter(
    ({ url, functions }) =>
      url.startsWith(dist.href) &&
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
  )
  if (process.argv.includes('--list')) for (const { url } of files) console.log(url.slice(dist.href.length))
  return files.length
}
