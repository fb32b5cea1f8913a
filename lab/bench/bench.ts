/** `npm run bench -- [PART...]`: start, memory and speed of the simulator. The figures depend on the machine and its load. */
import { type Load, median, type Rate, rateOf } from './load.js'
import { createContracts, createFixture, lookUp, prepare, rejected, submit } from './sample-requests.js'
import { startSimulator } from './server-process.js'

const whole = (figure: number): string => Math.round(figure).toLocaleString('en')
const both = ({ rate, processor }: Rate): string => `${whole(rate).padStart(7)}/s ${whole(processor).padStart(5)} us`

async function measureStart(): Promise<void> {
  const answered: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const server = await startSimulator()
    await (await fetch(`${server.url}/v2/version`)).text()
    answered.push(performance.now() - server.startedAt)
    await server.stop()
  }
  console.log(
    `First answer after the start: median ${whole(median(answered))} ms, minimum ${whole(Math.min(...answered))} ms (goal: 350)`,
  )
}

async function measureMemory(): Promise<void> {
  const [requests, steps] = [100_000, 10]
  const simulator = await startSimulator()
  const next = rejected(await createFixture(simulator.url))
  const memory = [simulator.memory()]
  for (let step = 0; step < steps; step += 1) {
    await rateOf(simulator, { next, count: requests / steps, atOnce: 16 })
    memory.push(simulator.memory())
  }
  await simulator.stop()
  console.log(`\nResident memory in MiB, after each ${whole(requests / steps)} rejected requests (goal: constant)`)
  console.log(`  ${memory.map(whole).join('  ')}`)
}

async function measureSpeed(): Promise<void> {
  const simulator = await startSimulator()
  const fixture = await createFixture(simulator.url)
  const loads: Record<string, Load> = {
    'contract-by-id, 16 at once': { next: () => lookUp(fixture), count: 8_000, atOnce: 16 },
    'prepare, 16 at once': { next: () => prepare(fixture), count: 2_000, atOnce: 16 },
    'submit-and-wait, a create, one at a time': { next: () => submit(fixture), count: 2_000, atOnce: 1 },
  }
  console.log('\nAnswers per second and processor time')
  for (const [what, load] of Object.entries(loads)) {
    // The first load is the warm-up.
    await rateOf(simulator, load)
    console.log(`  ${what.padEnd(44)} ${both(await rateOf(simulator, load))}`)
  }
  await simulator.stop()
}

/** In one transaction. */
const contractsAtOnce = 500
/** A part of the contract ids is enough for random lookups. */
const mostIds = 50_000

async function measureContracts(): Promise<void> {
  console.log('\nLookups by number of contracts')
  const simulator = await startSimulator()
  const fixture = await createFixture(simulator.url)
  const ids: string[] = []
  const some = (): string => ids[Math.floor(Math.random() * ids.length)] ?? ''
  const lookups: Load = { next: () => lookUp({ ...fixture, contractId: some() }), count: 20_000, atOnce: 16 }
  let existing = 0
  for (const size of [1_000, 100_000, 1_000_000]) {
    for (; existing < size; existing += contractsAtOnce) {
      const created = await createContracts(simulator.url, fixture.party, contractsAtOnce)
      if (existing < mostIds) ids.push(...created)
    }
    // The first load is the warm-up.
    await rateOf(simulator, lookups)
    console.log(`  ${whole(size).padStart(9)}   ${both(await rateOf(simulator, lookups))}`)
  }
  await simulator.stop()
}

const parts = {
  start: measureStart,
  memory: measureMemory,
  speed: measureSpeed,
  contracts: measureContracts,
}
const chosen = process.argv.slice(2)
for (const [name, measure] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await measure()
