/** Servers in processes of their own, so that what is measured does not share a thread with who measures. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  url: string
  /** Milliseconds from the start of the process to the line with its URL. */
  startedIn: number
  /** When the process was started, as `performance.now()` counts. */
  startedAt: number
  /** Resident memory in mebibytes. */
  memory(): number
  stop(): Promise<void>
}

/** Starts a server that prints its URL as its first line. */
async function start(script: string, ...options: string[]): Promise<ServerProcess> {
  const startedAt = performance.now()
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [file, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string] // what a text stream emits
  const startedIn = performance.now() - startedAt
  return {
    url: line.trim(),
    startedIn,
    startedAt,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

export const startSimulator = (...options: string[]): Promise<ServerProcess> =>
  start('../cli/conform.js', 'simulate', '--port', '0', ...options)

/** A bare server of `node:http` that answers every request with its body. */
export const startEcho = (): Promise<ServerProcess> => start('echo.js')
