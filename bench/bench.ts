/**
 * `npm run bench`: figures of the simulator, none of which is a test - they depend on the machine and on who else uses it. Names of
 * parts may follow, `--json FILE`, and `--contracts N` for the state that is saved.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, platform, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { besideExpress, type Compared } from './beside-express.js'
import { send } from './load.js'
import { atSizes, bytesPerContract, fill, type Scaled } from './many-contracts.js'
import { manyGround, packageRequests, uploadDar } from './package-requests.js'
import { median, type Rate } from './rate.js'
import { asked, lookUp, prepareGround, refused } from './sample-requests.js'
import { type ServerProcess, startEcho, startSimulator } from './server-process.js'

const whole = (figure: number): string => Math.round(figure).toLocaleString('en')

async function measureStart(): Promise<object> {
  const rounds = 9
  const answered: number[] = []
  const printed: number[] = []
  const floor: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    printed.push(await firstAnswer(startSimulator, answered))
    floor.push(await firstAnswer(startEcho, []))
  }
  console.log('Start, in milliseconds, median and best of', rounds)
  console.log(`  URL printed             ${whole(median(printed))}  ${whole(Math.min(...printed))}`)
  console.log(`  first request answered  ${whole(median(answered))}  ${whole(Math.min(...answered))}   (wanted: 350)`)
  console.log(`  a bare node:http server ${whole(median(floor))}  ${whole(Math.min(...floor))}\n`)
  return { answered, printed, floor }
}

/** Adds the time to the first answer, and returns that to the URL. */
async function firstAnswer(start: () => Promise<ServerProcess>, answered: number[]): Promise<number> {
  const server = await start()
  await (await fetch(`${server.url}/v2/version`)).text()
  answered.push(performance.now() - server.startedAt)
  await server.stop()
  return server.startedIn
}

async function measureMemory(): Promise<object> {
  const [requests, steps] = [100_000, 10]
  const simulator = await startSimulator()
  const bodies = refused(await prepareGround(simulator.url))
  const memory = [simulator.memory()]
  for (let step = 0; step < steps; step += 1) {
    await send(simulator.url, bodies, { count: requests / steps, atOnce: 16 })
    memory.push(simulator.memory())
  }
  await simulator.stop()
  const half = memory.slice(steps / 2)
  console.log(`Resident memory over ${whole(requests)} refused requests, in MiB after each ${whole(requests / steps)}`)
  console.log(`  ${memory.map(whole).join('  ')}`)
  console.log(
    `  second half: ${whole(Math.max(...half) - Math.min(...half))} MiB between least and most (wanted: flat)\n`,
  )
  return { mebibytes: memory }
}

async function measureBeside(): Promise<Compared[]> {
  const found = await besideExpress()
  console.log(
    'Requests in a second and microseconds of processor time for each, beside a bare Express route with a body of that size',
  )
  for (const { what, simulator, express } of found) {
    const shares = [simulator.rate / express.rate, express.processor / simulator.processor]
    console.log(
      `  ${what.padEnd(44)} ${both(simulator)}   Express ${both(express)}   ${shares.map(percent).join(' by rate, ')} by processor time`,
    )
  }
  return found
}

const both = ({ rate, processor }: Rate): string => `${whole(rate).padStart(7)}/s ${whole(processor).padStart(5)} us`
const percent = (share: number): string => `${whole(100 * share)} %`

async function measureContracts(): Promise<{ sizes: Scaled[]; bytesPerContract: number }> {
  const sizes = await atSizes([1_000, 100_000, 1_000_000])
  console.log('\nLookups and exercises while there are so many contracts')
  for (const { contracts, lookup, exercise } of sizes) {
    console.log(`  ${whole(contracts).padStart(9)}   lookup ${both(lookup)}   exercise ${both(exercise)}`)
  }
  const bytes = await bytesPerContract(100_000)
  console.log(`Bytes kept for each contract, made by a submission of its own: ${whole(bytes)} (wanted: 1,500 at most)`)
  return { sizes, bytesPerContract: bytes }
}

/** One request at a time, each answered before the next: what interpretation takes shows against a bare create. */
async function measurePackages(): Promise<object> {
  const simulator = await startSimulator()
  const uploads: [what: string, milliseconds: number][] = []
  for (const name of ['conformance-model-1.0.0', 'conformance-limits-1.0.0']) {
    const began = performance.now()
    await uploadDar(simulator.url, name)
    uploads.push([name, performance.now() - began])
  }
  const ground = await prepareGround(simulator.url)
  const many = await manyGround(simulator.url, ground)
  const figures: [what: string, rate: number][] = []
  for (const [what, request] of Object.entries(packageRequests(ground, many))) {
    await send(simulator.url, request, { count: 200, atOnce: 16 })
    figures.push([what, await send(simulator.url, request, { count: 2_000, atOnce: 16 })])
  }
  await simulator.stop()
  console.log('\nUploads of the model, in milliseconds, the first with all that is compiled for it')
  for (const [what, milliseconds] of uploads) console.log(`  ${what.padEnd(28)} ${whole(milliseconds).padStart(7)}`)
  console.log('Commands of the model in a second, 16 at once')
  for (const [what, rate] of figures) console.log(`  ${what.padEnd(28)} ${whole(rate).padStart(7)}`)
  return { uploads, rates: figures }
}

async function measureState(): Promise<SavedState> {
  const found = await savedState(Number(values.contracts))
  const { contracts, mebibytes, ended, started } = found
  console.log(`\nA state of ${whole(contracts)} contracts: ${whole(mebibytes)} MiB`)
  console.log(`  saved and ended in ${ended.toFixed(1)} s, started from in ${started.toFixed(1)} s`)
  return found
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, contracts: { type: 'string', default: '100000' } },
})
const parts = {
  start: measureStart,
  memory: measureMemory,
  beside: measureBeside,
  contracts: measureContracts,
  state: measureState,
  packages: measurePackages,
}

const [{ model = 'unknown' } = {}, ...others] = cpus()
const machine = {
  processor: model,
  cores: others.length + 1,
  memory: totalmem(),
  node: process.version,
  platform: platform(),
}
const figures: Record<string, unknown> = { machine }
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length === 0 || positionals.includes(name)) figures[name] = await measure()
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)

/** How long a state takes to its file and back. */
interface SavedState {
  contracts: number
  mebibytes: number
  /** Seconds from the signal to the end. */
  ended: number
  /** Seconds from the start to the first answer, which shows a contract. */
  started: number
}

/** Fills a simulator that keeps its state in a file, ends it, and starts another from there. */
async function savedState(contracts: number): Promise<SavedState> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const file = join(folder, 'state')
  const secondsSince = (began: number): number => (performance.now() - began) / 1000
  try {
    const first = await startSimulator('--data', file, '--save')
    const ground = await prepareGround(first.url)
    await fill(first.url, ground, 0, contracts)
    const stopped = performance.now()
    await first.stop()
    const ended = secondsSince(stopped)
    const second = await startSimulator('--data', file)
    const { path, body } = lookUp(ground)
    await asked(second.url, path, JSON.parse(body))
    const started = secondsSince(second.startedAt)
    await second.stop()
    return { contracts, mebibytes: statSync(file).size / 1024 / 1024, ended, started }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
