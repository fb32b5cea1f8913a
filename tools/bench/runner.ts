/**
 * `npm run bench:runner -- [ROUNDS] [REQUESTS]`: a run, compared with a loop over undici that checks only the status.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Client } from 'undici'
import { type Pair, pairsFor } from './peers/pairs.js'
import { timeProcess } from './peers/time-process.js'
import { tools } from './peers/tools.js'
import { startSimulator } from './server-process.js'

const [rounds = 3, count = 2000] = process.argv.slice(2).map(Number)
/** The default of a run. */
const atOnce = 8

const headers = { accept: 'application/json', 'content-type': 'application/json' }

async function sendPair(client: Client, { path, body, status }: Pair): Promise<void> {
  const answer = await client.request({ method: 'POST', path, body: JSON.stringify(body), headers })
  await answer.body.text()
  if (answer.statusCode !== status) throw new Error(`${path} returned ${answer.statusCode}, not ${status}`)
}

/** Answers per second. Without `isPersistent`, each request has its own connection. */
async function bareLoop(url: string, pairs: readonly Pair[], isPersistent: boolean): Promise<number> {
  const waiting = [...pairs]
  const work = async (): Promise<void> => {
    let client = new Client(url)
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      await sendPair(client, pair)
      if (isPersistent) continue
      await client.destroy()
      client = new Client(url)
    }
    await client.destroy()
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, work))
  return (pairs.length * 1000) / (performance.now() - began)
}

async function ownRun(url: string, pairs: readonly Pair[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-runner-'))
  try {
    const [own] = tools
    if (!own) throw new Error('the first tool is this one')
    await timeProcess(own.call({ url, pairs, folder, programs: '' }), folder)
    return (pairs.length * 1000) / footerIn(join(folder, 'results')).milliseconds
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const best = (figures: readonly number[]): number => Math.max(...figures)
const simulator = await startSimulator()
try {
  const pairs = await pairsFor(simulator.url, count)
  const [persistent, fresh, own]: [number[], number[], number[]] = [[], [], []]
  // In turns, so that temporary load affects all.
  for (let round = 0; round <= rounds; round += 1) {
    const figures = [
      await bareLoop(simulator.url, pairs, true),
      await bareLoop(simulator.url, pairs, false),
      await ownRun(simulator.url, pairs),
    ]
    // Round 0 is the warm-up.
    if (round > 0) for (const [index, list] of [persistent, fresh, own].entries()) list.push(figures[index] ?? 0)
  }
  console.log(
    `${count} requests, ${atOnce} concurrent: maximum requests per second of ${rounds} rounds, and relative to the bare loop`,
  )
  for (const [what, rates] of [
    ['bare loop', persistent],
    ['bare loop, new connections', fresh],
    ['run', own],
  ] as const)
    console.log(
      `  ${what.padEnd(34)}${String(Math.round(best(rates))).padStart(6)}${`${Math.round((100 * best(rates)) / best(persistent))} %`.padStart(7)}`,
    )
} finally {
  await simulator.stop()
}

function footerIn(results: string): { milliseconds: number } {
  const lines = brotliDecompressSync(readFileSync(join(results, 'latest', 'run.ndjson.br')))
    .toString('utf8')
    .trimEnd()
  return JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as { milliseconds: number } // the format of records
}
