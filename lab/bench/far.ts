/**
 * `npm run bench:far -- [OPTION...]`: a run on a participant with 50 ms of latency that needs 1.5 s for each commit. The run prints its lower bound, and
 * this program the share of time in which the participant had fewer requests than half of `--concurrency`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultConcurrency } from '../../reports/wording/shell.js'
import { systemClock } from '../../simulator/ledger/state/clock.js'
import type { Interceptor } from '../../simulator/participant/participant.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform } from './peers/tools.js'

/** Milliseconds. */
const latency = 50
const commit = 1500

const options = process.argv.slice(2)
const named = options.indexOf('--concurrency')
const concurrency = named < 0 ? defaultConcurrency(false) : Number(options[named + 1])

/** Milliseconds by the number of requests in flight. */
const times: number[] = []
let inFlight = 0
let since = performance.now()
let lastAnswer = since

function change(by: number): void {
  const now = performance.now()
  times[inFlight] = (times[inFlight] ?? 0) + now - since
  since = now
  inFlight += by
}

const far: Interceptor =
  ({ handle }) =>
  async (request) => {
    change(1)
    try {
      await delay(latency)
      return await handle(request)
    } finally {
      change(-1)
      lastAnswer = since
    }
  }

const folder = mkdtempSync(join(tmpdir(), 'bench-far-'))
const simulator = await startSimulator({
  clock: { ...systemClock(), transit: () => delay(commit) },
  overrides: { interceptor: far },
})
try {
  since = performance.now()
  const began = since
  const words = ['run', '--target', simulator.url, '--out', join(folder, 'results'), ...options]
  await once(spawn(process.execPath, [conform, ...words], { stdio: 'inherit' }), 'close')
  const all = lastAnswer - began
  const few = times.slice(0, Math.ceil(concurrency / 2)).reduce((sum, time) => sum + time, 0)
  console.log(`${(all / 1000).toFixed(1)} s from the start of the program to the last answer`)
  console.log(
    `${Math.round((100 * few) / all)} % of it with fewer than ${Math.ceil(concurrency / 2)} requests in flight`,
  )
} finally {
  await simulator.close()
  rmSync(folder, { recursive: true, force: true })
}
