/** A separate process, so that measuring does not use their thread. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  url: string
  /** By `performance.now()`. */
  startedAt: number
  /** Resident mebibytes. */
  memory(): number
  /** Milliseconds; NaN on systems without /proc. */
  processorTime(): number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../cli/conform.js', import.meta.url))

export async function startSimulator(): Promise<ServerProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--max-old-space-size=6144', program, 'simulate', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string] // what a text stream emits
  return {
    url: line.trim(),
    startedAt,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    processorTime: () => processorTimeOf(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

/** Linux counts hundredths of a second. */
function processorTimeOf(pid: number | undefined): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user = Number.NaN, system = Number.NaN] = rest.split(' ').slice(11, 13).map(Number)
    return (user + system) * 10
  } catch {
    return Number.NaN
  }
}
