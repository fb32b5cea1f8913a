import { type BenchRequest, type Rate, rateOf, send } from './load.js'
import {
  contractIdsOf,
  createFixture,
  creating,
  exercise,
  type Fixture,
  lookUp,
  memberOf,
  postJson,
  submit,
} from './sample-requests.js'
import { startMeasuredSimulator } from './server-process.js'

const commandsAtOnce = 500
/** Exercises at each size; each consumes a contract. */
const exercises = 400
const mostIds = 50_000

export interface Scaled {
  contracts: number
  lookup: Rate
  exercise: Rate
}

export async function fill(url: string, fixture: Fixture, from: number, to: number): Promise<string[]> {
  const ids: string[] = []
  for (let there = from; there < to; there += commandsAtOnce) {
    const { path, body } = creating(fixture, `fill-${there}`, commandsAtOnce)
    const updateId = memberOf(await postJson(url, path, JSON.parse(body)), 'updateId')
    if (there < mostIds) ids.push(...(await contractIdsOf(url, fixture, updateId)))
  }
  return ids
}

export async function atSizes(sizes: readonly number[]): Promise<Scaled[]> {
  const simulator = await startMeasuredSimulator()
  const fixture = await createFixture(simulator.url)
  const scaled: Scaled[] = []
  const ids: string[] = []
  let [there, commands] = [0, 0]
  const some = (): string => ids[Math.floor(Math.random() * ids.length)] ?? ''
  const lookups = { next: () => lookUp({ ...fixture, contractId: some() }), count: 20_000, atOnce: 16 }
  const next = (): BenchRequest => exercise({ ...fixture, contractId: ids.pop() ?? '' }, `exercise-${commands++}`)
  for (const size of sizes) {
    ids.push(...(await fill(simulator.url, fixture, there, size)))
    there = size
    // Collects garbage before the measurement.
    await simulator.usedMemory()
    await rateOf(simulator, lookups)
    scaled.push({
      contracts: size,
      lookup: await rateOf(simulator, lookups),
      exercise: await rateOf(simulator, { next, count: exercises, atOnce: 16 }),
    })
  }
  await simulator.stop()
  return scaled
}

/** Includes the transaction of each contract. */
export async function bytesPerContract(count: number): Promise<number> {
  const simulator = await startMeasuredSimulator()
  const fixture = await createFixture(simulator.url)
  let commands = 0
  const fresh = (): BenchRequest => submit(fixture, `kept-${commands++}`)
  await send(simulator.url, fresh, { count: 5_000, atOnce: 64 })
  const before = await simulator.usedMemory()
  await send(simulator.url, fresh, { count, atOnce: 64 })
  const added = (await simulator.usedMemory()) - before
  await simulator.stop()
  return added / count
}
