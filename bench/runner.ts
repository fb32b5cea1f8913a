/**
 * `npm run bench:runner`: requests in a second of a run - sent, judged and recorded -, and of a bare loop over undici that sends the very
 * same ones and looks at nothing but the status. Numbers may follow: of rounds, and of requests.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { type Pair, pairsFor } from './peers/pairs.js'
import { timeProcess } from './peers/time-process.js'
import { tools } from './peers/tools.js'
import { startSimulator } from './server-process.js'

const [rounds = 3, count = 2000] = process.argv.slice(2).map(Number)
/** As many as a run has, unless it is told otherwise. */
const atOnce = 8

const headers = { accept: 'application/json', 'content-type': 'application/json' }

async function ask(client: Client, { path, body, status }: Pair): Promise<void> {
  const answer = await client.request({ method: 'POST', path, body: JSON.stringify(body), headers })
  await answer.body.text()
  if (answer.statusCode !== status) throw new Error(`${path}: ${answer.statusCode} in place of ${status}`)
}

/** How many were answered in a second; `keeps`: over connections that are kept, in place of one for each request. */
async function bareLoop(url: string, pairs: readonly Pair[], keeps: boolean): Promise<number> {
  const waiting = [...pairs]
  const work = async (): Promise<void> => {
    let client = new Client(url)
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      await ask(client, pair)
      if (keeps) continue
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
  const [kept, fresh, own]: [number[], number[], number[]] = [[], [], []]
  // In turns, so that a machine that is busy for a while is so for all.
  for (let round = 0; round <= rounds; round += 1) {
    const figures = [
      await bareLoop(simulator.url, pairs, true),
      await bareLoop(simulator.url, pairs, false),
      await ownRun(simulator.url, pairs),
    ]
    // The first round meets code of the simulator that is not compiled yet.
    if (round > 0) for (const [index, list] of [kept, fresh, own].entries()) list.push(figures[index] ?? 0)
  }
  console.log(
    `${count} requests, ${atOnce} at once: in a second, the best of ${rounds}, and as a share of the bare loop`,
  )
  for (const [what, rates] of [
    ['bare loop', kept],
    ['bare loop, a connection for each', fresh],
    ['run', own],
  ] as const)
    console.log(
      `  ${what.padEnd(34)}${String(Math.round(best(rates))).padStart(6)}${`${Math.round((100 * best(rates)) / best(kept))} %`.padStart(7)}`,
    )
} finally {
  await simulator.stop()
}

// What a run of this tool has left behind.

/** What the footer of the newest run in the folder says; it is the last line of its record. */
function footerIn(results: string): { milliseconds: number } {
  const lines = readFileSync(join(results, 'latest', 'run.ndjson'), 'utf8').trimEnd()
  return JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as { milliseconds: number } // as the writer of records has it
}
