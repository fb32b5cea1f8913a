/**
 * `npm run bench:first-request`: measures the time from the start of `conform run` to its first request. The server answers nothing; the run ends
 * after the request. Linux only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const times = 9
/** Clock ticks per second of /proc. */
const ticks = 100

const folder = mkdtempSync(join(tmpdir(), 'bench-first-request-'))
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (typeof address !== 'object' || !address) throw new Error('the server listens on no port')

/** Seconds of all threads. */
function processorTime(/** @type {number | undefined} */ pid) {
  // The name of the process, in brackets, can contain spaces.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / ticks
}

const found = []
for (let time = 0; time < times; time += 1) {
  // A killed run leaves the lock of its results folder.
  const options = ['run', '--target', `http://127.0.0.1:${address.port}`, '--out', join(folder, String(time))]
  const began = performance.now()
  const child = spawn(process.execPath, ['dist/cli/conform.js', ...options], { stdio: 'ignore' })
  await once(server, 'request')
  found.push({ elapsed: (performance.now() - began) / 1000, cpu: processorTime(child.pid) })
  child.kill('SIGKILL')
  await once(child, 'close')
}
server.close()
server.closeAllConnections()
rmSync(folder, { recursive: true })
for (const name of /** @type {const} */ (['elapsed', 'cpu'])) {
  const sorted = found.map((one) => one[name]).sort((a, b) => a - b)
  const median = sorted[Math.floor(times / 2)] ?? 0
  console.log(`${name.padEnd(7)} ${median.toFixed(2)} s (median of ${times}), ${sorted[0]?.toFixed(2)} s (minimum)`)
}
