/**
 * `npm run bench:peers -- [ROUNDS] [PAIRS...]`: this tool and others with the same requests and expectations against
 * one simulator; whole processes with reports.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './load.js'
import { type Pair, pairsFor } from './peers/pairs.js'
import { type Taken, timeProcess } from './peers/time-process.js'
import { installed, type Tool, tools } from './peers/tools.js'
import { startSimulator } from './server-process.js'

const [rounds = 3, ...counts] = process.argv.slice(2).map(Number)

interface Measured {
  name: string
  pairs: number
  taken: Taken[]
}

async function measure(url: string, pairs: readonly Pair[], present: readonly [Tool, string][]): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'))
  const count = pairs.length
  try {
    const calls = present.map(([tool, programs]) => ({
      call: tool.call({ url, pairs, folder, programs }),
      measured: { name: tool.name, pairs: count, taken: [] as Taken[] },
    }))
    // In turns, so that temporary load affects all tools.
    for (let round = 0; round < rounds; round += 1)
      for (const { call, measured } of calls) measured.taken.push(await timeProcess(call, folder))
    return calls.map(({ measured }) => measured)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printFigures(measured: readonly Measured[]): void {
  const [own, ...others] = measured.map(({ name, pairs, taken }) => ({
    name,
    pairs,
    passed: median(taken.map(({ passed }) => passed)),
    best: Math.min(...taken.map(({ passed }) => passed)),
    worked: median(taken.map(({ worked }) => worked)),
  }))
  if (!own) return
  console.log(
    `\n${own.pairs} pairs: median of ${rounds} rounds, minimum, processor time (milliseconds); median relative to conform`,
  )
  for (const { name, passed, best, worked } of [own, ...others]) {
    const figures = [passed, best, worked].map((one) => String(Math.round(one)).padStart(7))
    console.log(`  ${name.padEnd(16)}${figures.join('')}  ${(passed / own.passed).toFixed(2)}`)
  }
}

const present = tools.flatMap((tool): [Tool, string][] => {
  const programs = tool.package === undefined ? '' : installed(tool.package)
  return programs === undefined ? [] : [[tool, programs]]
})
const simulator = await startSimulator()
try {
  const sizes = counts.length > 0 ? counts : [200, 2000]
  const pairs = await pairsFor(simulator.url, Math.max(...sizes))
  for (const count of sizes) {
    printFigures(await measure(simulator.url, pairs.slice(0, count), present))
  }
} finally {
  await simulator.stop()
}
