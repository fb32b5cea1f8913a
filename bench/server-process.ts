/** Servers in processes of their own, so that what is measured does not share a thread with who measures. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  url: string
  /** Milliseconds from the start of the process to the line with its URL. */
  startedIn: number
  /** When the process was started, as `performance.now()` counts. */
  startedAt: number
  /** Resident memory in mebibytes. */
  memory(): number
  /** Bytes that it keeps, once everything that nobody needs any more is gone; of one that was started to tell it. */
  kept(): Promise<number>
  /** Milliseconds of processor time that it has taken; NaN where the system does not tell. */
  processorTime(): number
  stop(): Promise<void>
}

/** How a server begins to tell what it keeps. */
const toldMemory = 'kept: '

const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url))

interface Circumstances {
  env?: NodeJS.ProcessEnv
  /** What else Node is told. */
  node?: readonly string[]
}

/** Starts a server that prints its URL as its first line. */
async function start(
  script: string,
  options: readonly string[],
  { env = {}, node = [] }: Circumstances = {},
): Promise<ServerProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...node, pathOf(script), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!text.startsWith(toldMemory)) console.error(text)
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string] // what a text stream emits
  const startedIn = performance.now() - startedAt
  return {
    url: line.trim(),
    startedIn,
    startedAt,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    kept: () => keptBy(child),
    processorTime: () => processorTimeOf(child),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

async function keptBy(child: ChildProcess): Promise<number> {
  child.kill('SIGUSR2')
  for (;;) {
    const [text] = (await once(child.stderr ?? child, 'data')) as [string] // what a text stream emits
    if (text.startsWith(toldMemory)) return Number.parseInt(text.slice(toldMemory.length), 10)
  }
}

/** User and system time, which Linux counts in hundredths of a second. */
function processorTimeOf({ pid }: ChildProcess): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = rest.split(' ').slice(11, 13).map(Number)
    return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10
  } catch {
    return Number.NaN
  }
}

export const startSimulator = (...options: string[]): Promise<ServerProcess> =>
  start('../cli/conform.js', ['simulate', '--port', '0', ...options])

/** One that can be asked what it keeps. */
export const startTellingSimulator = (...options: string[]): Promise<ServerProcess> =>
  start('../cli/conform.js', ['simulate', '--port', '0', ...options], {
    node: ['--expose-gc', '--max-old-space-size=6144', '--import', new URL('tell-memory.js', import.meta.url).href],
  })

/** A bare server of `node:http` that answers every request with its body. */
export const startEcho = (): Promise<ServerProcess> => start('echo.js', [])

/** An Express route for each path, with its answer. */
export const startBareExpress = (answers: Readonly<Record<string, string>>): Promise<ServerProcess> =>
  start('bare-express.js', [], { env: { ANSWERS: JSON.stringify(answers) } })
