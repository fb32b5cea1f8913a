/** Compares the simulator with an Express route that sends an equal body. */
import { type BenchRequest, type Load, median, type Rate, rateOf } from './load.js'
import { createFixture, lookUp, postJson, prepare, submit } from './sample-requests.js'
import { type ServerProcess, startBareExpress, startSimulator } from './server-process.js'

/** Both servers are measured in turns; the result is the median. */
const rounds = 3

export interface Compared {
  what: string
  simulator: Rate
  express: Rate
}

export async function besideExpress(): Promise<Compared[]> {
  const simulator = await startSimulator()
  const fixture = await createFixture(simulator.url)
  const loads: Record<string, Load> = {
    'contract-by-id, 16 at once': { next: () => lookUp(fixture), count: 8_000, atOnce: 16 },
    'prepare, 16 at once': { next: () => prepare(fixture), count: 2_000, atOnce: 16 },
    'submit-and-wait, a create, one at a time': { next: () => submit(fixture), count: 2_000, atOnce: 1 },
  }
  const all: Compared[] = []
  for (const [what, load] of Object.entries(loads)) all.push({ what, ...(await compared(load, simulator)) })
  await simulator.stop()
  return all
}

async function compared(load: Load, simulator: ServerProcess): Promise<Omit<Compared, 'what'>> {
  const { path, body }: BenchRequest = load.next()
  const express = await startBareExpress({ [path]: await postJson(simulator.url, path, JSON.parse(body)) })
  const rates: { simulator: Rate; express: Rate }[] = []
  // Round 0 is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    rates.push({ express: await rateOf(express, load), simulator: await rateOf(simulator, load) })
  }
  await express.stop()
  const [, ...warm] = rates
  return {
    simulator: middle(warm.map((each) => each.simulator)),
    express: middle(warm.map((each) => each.express)),
  }
}

const middle = (rates: readonly Rate[]): Rate => ({
  rate: median(rates.map(({ rate }) => rate)),
  processor: median(rates.map(({ processor }) => processor)),
})
