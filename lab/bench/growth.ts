/**
 * `npm run bench:growth -- [PAIRS...]`: time and memory of a run as the number of rows grows. The first run is short and
 * serves as the base: the start of the program is not a cost of a row.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inWords, measuredCall, type Resources } from './measured-call.js'
import { pairsFor } from './peers/pairs.js'
import { ownRun } from './peers/tools.js'
import { startSimulator } from './server-process.js'

const base = 1
const chosen = process.argv.slice(2).map(Number)
const sizes = chosen.length > 0 ? chosen : [200, 2_000, 20_000]

/** Milliseconds and KiB for each further row. */
function forEachRow(start: Resources, { cpu, memory }: Resources, rows: number): string {
  const time = ((cpu - start.cpu) * 1000) / (rows - base)
  const kept = ((memory - start.memory) * 1024) / (rows - base)
  return `${time.toFixed(2)} ms and ${kept.toFixed(1)} KiB for each row`
}

const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
const simulator = await startSimulator()
try {
  const { url } = simulator
  const pairs = await pairsFor(url, Math.max(...sizes))
  const measure = (rows: number): Promise<Resources> =>
    measuredCall(...ownRun({ url, pairs: pairs.slice(0, rows), folder: join(folder, String(rows)) }))
  const start = await measure(base)
  console.log(`${base} row: ${inWords(start)}`)
  for (const rows of sizes) {
    const taken = await measure(rows)
    console.log(`${rows} rows: ${inWords(taken)}; ${forEachRow(start, taken, rows)}`)
  }
} finally {
  await simulator.stop()
  rmSync(folder, { recursive: true, force: true })
}
