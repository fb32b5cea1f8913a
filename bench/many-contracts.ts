/** What a million contracts do to a simulator: how fast it still answers, and how much memory each of them takes. */
import { type BenchRequest, send } from './load.js'
import { type Rate, rateOf } from './rate.js'
import {
  asked,
  contractIdsOf,
  creating,
  exercise,
  found,
  type Ground,
  lookUp,
  prepareGround,
  submit,
} from './sample-requests.js'
import { startTellingSimulator } from './server-process.js'

const commandsAtOnce = 500
/** Exercises at each size; each consumes a contract. */
const exercises = 400
/** Contracts of which the ids are remembered: no more are asked for. */
const mostIds = 50_000

export interface Scaled {
  contracts: number
  lookup: Rate
  exercise: Rate
}

/** Fills a simulator and returns ids of some contracts; `from` and `to` count contracts. */
export async function fill(url: string, ground: Ground, from: number, to: number): Promise<string[]> {
  const ids: string[] = []
  for (let there = from; there < to; there += commandsAtOnce) {
    const { path, body } = creating(ground, `fill-${there}`, commandsAtOnce)
    const updateId = found(await asked(url, path, JSON.parse(body)), 'updateId')
    if (there < mostIds) ids.push(...(await contractIdsOf(url, ground, updateId)))
  }
  return ids
}

/** Lookups and exercises, each of another contract, while there are so many; the simulator grows from one size to the next. */
export async function atSizes(sizes: readonly number[]): Promise<Scaled[]> {
  const simulator = await startTellingSimulator()
  const ground = await prepareGround(simulator.url)
  const scaled: Scaled[] = []
  const ids: string[] = []
  let [there, commands] = [0, 0]
  const some = (): string => ids[Math.floor(Math.random() * ids.length)] ?? ''
  const lookups = { next: () => lookUp({ ...ground, contractId: some() }), count: 20_000, atOnce: 16 }
  const next = (): BenchRequest => exercise({ ...ground, contractId: ids.pop() ?? '' }, `exercise-${commands++}`)
  for (const size of sizes) {
    ids.push(...(await fill(simulator.url, ground, there, size)))
    there = size
    // What filling has left behind would be cleaned up meanwhile.
    await simulator.kept()
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

/** Bytes for each contract of a transaction of its own, with all that is kept of that. */
export async function bytesPerContract(count: number): Promise<number> {
  const simulator = await startTellingSimulator()
  const ground = await prepareGround(simulator.url)
  let commands = 0
  const fresh = (): BenchRequest => submit(ground, `kept-${commands++}`)
  await send(simulator.url, fresh, { count: 5_000, atOnce: 64 })
  const before = await simulator.kept()
  await send(simulator.url, fresh, { count, atOnce: 64 })
  const kept = (await simulator.kept()) - before
  await simulator.stop()
  return kept / count
}
