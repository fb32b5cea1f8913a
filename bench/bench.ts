/** `npm run bench`: figures of the simulator, none of which is a test - they depend on the machine and on who else uses it. */
import { send } from './load.js'
import { manyGround, packageRequests, uploadDar } from './package-requests.js'
import { lookUp, prepareGround, refused, submit } from './sample-requests.js'
import { type ServerProcess, startEcho, startSimulator } from './server-process.js'

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0
const whole = (figure: number): string => Math.round(figure).toLocaleString('en')

async function measureStart(): Promise<void> {
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
  console.log(
    `  first request answered  ${whole(median(answered))}  ${whole(Math.min(...answered))}   (wanted: below 500)`,
  )
  console.log(`  a bare node:http server ${whole(median(floor))}  ${whole(Math.min(...floor))}\n`)
}

/** Adds the time to the first answer, and returns that to the URL. */
async function firstAnswer(start: () => Promise<ServerProcess>, answered: number[]): Promise<number> {
  const server = await start()
  await (await fetch(`${server.url}/v2/version`)).text()
  answered.push(performance.now() - server.startedAt)
  await server.stop()
  return server.startedIn
}

async function measureMemory(): Promise<void> {
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
}

async function measureRates(): Promise<void> {
  const [simulator, echo] = [await startSimulator(), await startEcho()]
  const ground = await prepareGround(simulator.url)
  const bodies = refused(ground)
  const many = { count: 10_000, atOnce: 16 }
  const look = lookUp(ground)
  // The first thousands of requests meet code that is not compiled yet.
  await send(echo.url, () => look, many)
  await send(simulator.url, (index) => (index % 2 === 0 ? look : bodies(index)), many)
  let commands = 0
  const fresh = () => submit(ground, `bench-${commands++}`)
  const floor = await send(echo.url, () => look, many)
  const figures: [what: string, rate: number][] = [
    ['contract-by-id', await send(simulator.url, () => look, many)],
    ['refused requests', await send(simulator.url, bodies, many)],
    ['submit-and-wait, 64 at once', await send(simulator.url, fresh, { count: 5_000, atOnce: 64 })],
    ['submit-and-wait, one by one', await send(simulator.url, fresh, { count: 200, atOnce: 1 })],
  ]
  await Promise.all([simulator.stop(), echo.stop()])
  console.log(`Requests in a second (16 at once where nothing else is said), and as a share of an echo by node:http`)
  console.log(`  ${'echo'.padEnd(28)} ${whole(floor).padStart(7)}`)
  for (const [what, rate] of figures) {
    console.log(`  ${what.padEnd(28)} ${whole(rate).padStart(7)}  ${((100 * rate) / floor).toFixed(1).padStart(5)} %`)
  }
}

/** One request at a time, each answered before the next: what interpretation takes shows against a bare create. */
async function measurePackages(): Promise<void> {
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
}

await measureStart()
await measureMemory()
await measureRates()
await measurePackages()
