/**
 * `npm run bench -- [PART...] [--json FILE] [--contracts N]`. The figures depend on the machine and its load.
 * `--contracts`: size of the saved state.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, platform, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { besideExpress, type Compared } from './beside-express.js'
import { median, type Rate, send } from './load.js'
import { atSizes, bytesPerContract, fill, type Scaled } from './many-contracts.js'
import {
  createFixture,
  createManyContract,
  lookUp,
  packageRequests,
  postJson,
  rejected,
  uploadDar,
} from './sample-requests.js'
import { type ServerProcess, startEcho, startSimulator } from './server-process.js'

const whole = (figure: number): string => Math.round(figure).toLocaleString('en')

async function measureStart(): Promise<object> {
  const rounds = 9
  const answered: number[] = []
  const printed: number[] = []
  const baseline: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    printed.push(await firstAnswer(startSimulator, answered))
    baseline.push(await firstAnswer(startEcho, []))
  }
  console.log('Start in milliseconds: median and minimum of rounds:', rounds)
  console.log(`  URL printed             ${whole(median(printed))}  ${whole(Math.min(...printed))}`)
  console.log(`  first request answered  ${whole(median(answered))}  ${whole(Math.min(...answered))}   (goal: 350)`)
  console.log(`  a bare node:http server ${whole(median(baseline))}  ${whole(Math.min(...baseline))}\n`)
  return { answered, printed, baseline }
}

/** Appends the milliseconds until the first answer, returns those until the URL. */
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
  const bodies = rejected(await createFixture(simulator.url))
  const memory = [simulator.memory()]
  for (let step = 0; step < steps; step += 1) {
    await send(simulator.url, bodies, { count: requests / steps, atOnce: 16 })
    memory.push(simulator.memory())
  }
  await simulator.stop()
  const half = memory.slice(steps / 2)
  console.log(`Resident memory in MiB, after each ${whole(requests / steps)} of ${whole(requests)} rejected requests`)
  console.log(`  ${memory.map(whole).join('  ')}`)
  console.log(
    `  second half: ${whole(Math.max(...half) - Math.min(...half))} MiB between minimum and maximum (goal: constant)\n`,
  )
  return { mebibytes: memory }
}

async function measureBeside(): Promise<Compared[]> {
  const compared = await besideExpress()
  console.log(
    'Requests per second and processor time in microseconds, compared with an Express route that sends an equal body',
  )
  for (const { what, simulator, express } of compared) {
    const shares = [simulator.rate / express.rate, express.processor / simulator.processor]
    console.log(
      `  ${what.padEnd(44)} ${both(simulator)}   Express ${both(express)}   ${shares.map(percent).join(' by rate, ')} by processor time`,
    )
  }
  return compared
}

const both = ({ rate, processor }: Rate): string => `${whole(rate).padStart(7)}/s ${whole(processor).padStart(5)} us`
const percent = (share: number): string => `${whole(100 * share)} %`

async function measureContracts(): Promise<{ sizes: Scaled[]; bytesPerContract: number }> {
  const sizes = await atSizes([1_000, 100_000, 1_000_000])
  console.log('\nLookups and exercises by number of contracts')
  for (const { contracts, lookup, exercise } of sizes) {
    console.log(`  ${whole(contracts).padStart(9)}   lookup ${both(lookup)}   exercise ${both(exercise)}`)
  }
  const bytes = await bytesPerContract(100_000)
  console.log(`Memory for each contract with its own submission: ${whole(bytes)} bytes (goal: at most 1,500)`)
  return { sizes, bytesPerContract: bytes }
}

async function measurePackages(): Promise<object> {
  const simulator = await startSimulator()
  const uploads: [what: string, milliseconds: number][] = []
  for (const name of ['conformance-model-1.0.0', 'conformance-limits-1.0.0']) {
    const began = performance.now()
    await uploadDar(simulator.url, name)
    uploads.push([name, performance.now() - began])
  }
  const fixture = await createFixture(simulator.url)
  const many = await createManyContract(simulator.url, fixture)
  const figures: [what: string, rate: number][] = []
  for (const [what, request] of Object.entries(packageRequests(fixture, many))) {
    await send(simulator.url, request, { count: 200, atOnce: 16 })
    figures.push([what, await send(simulator.url, request, { count: 2_000, atOnce: 16 })])
  }
  await simulator.stop()
  console.log('\nUploads of the model in milliseconds; the first one includes compilation')
  for (const [what, milliseconds] of uploads) console.log(`  ${what.padEnd(28)} ${whole(milliseconds).padStart(7)}`)
  console.log('Commands of the model per second, 16 concurrent')
  for (const [what, rate] of figures) console.log(`  ${what.padEnd(28)} ${whole(rate).padStart(7)}`)
  return { uploads, rates: figures }
}

async function measureState(): Promise<SavedState> {
  const state = await savedState(Number(values.contracts))
  const { contracts, mebibytes, ended, started } = state
  console.log(`\nA state of ${whole(contracts)} contracts: ${whole(mebibytes)} MiB`)
  console.log(`  saved in ${ended.toFixed(1)} s, loaded in ${started.toFixed(1)} s`)
  return state
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

interface SavedState {
  contracts: number
  mebibytes: number
  /** Seconds from the signal to the end of the process. */
  ended: number
  /** Seconds from the start to the answer with a contract. */
  started: number
}

async function savedState(contracts: number): Promise<SavedState> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const file = join(folder, 'state')
  const secondsSince = (began: number): number => (performance.now() - began) / 1000
  try {
    const first = await startSimulator('--data', file, '--save')
    const fixture = await createFixture(first.url)
    await fill(first.url, fixture, 0, contracts)
    const stopped = performance.now()
    await first.stop()
    const ended = secondsSince(stopped)
    const second = await startSimulator('--data', file)
    const { path, body } = lookUp(fixture)
    await postJson(second.url, path, JSON.parse(body))
    const started = secondsSince(second.startedAt)
    await second.stop()
    return { contracts, mebibytes: statSync(file).size / 1024 / 1024, ended, started }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
