/** Separate processes, so that measuring does not use their thread. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  url: string
  /** Milliseconds from process start to the line with the URL. */
  startedIn: number
  startedAt: number
  /** Resident mebibytes. */
  memory(): number
  /** Bytes after garbage collection; only for `startMeasuredSimulator`. */
  usedMemory(): Promise<number>
  /** Milliseconds; NaN on systems without /proc. */
  processorTime(): number
  stop(): Promise<void>
}

const memoryPrefix = 'used memory: '

const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url))

interface StartOptions {
  env?: NodeJS.ProcessEnv
  node?: readonly string[]
}

async function start(
  script: string,
  options: readonly string[],
  { env = {}, node = [] }: StartOptions = {},
): Promise<ServerProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...node, pathOf(script), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!text.startsWith(memoryPrefix)) console.error(text)
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string] // what a text stream emits
  const startedIn = performance.now() - startedAt
  return {
    url: line.trim(),
    startedIn,
    startedAt,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    usedMemory: () => usedMemoryOf(child),
    processorTime: () => processorTimeOf(child),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

async function usedMemoryOf(child: ChildProcess): Promise<number> {
  child.kill('SIGUSR2')
  for (;;) {
    const [text] = (await once(child.stderr ?? child, 'data')) as [string] // what a text stream emits
    if (text.startsWith(memoryPrefix)) return Number.parseInt(text.slice(memoryPrefix.length), 10)
  }
}

/** Linux counts hundredths of a second. */
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
  start('../../cli/conform.js', ['simulate', '--port', '0', ...options])

export const startMeasuredSimulator = (...options: string[]): Promise<ServerProcess> =>
  start('../../cli/conform.js', ['simulate', '--port', '0', ...options], {
    node: ['--expose-gc', '--max-old-space-size=6144', '--import', new URL('report-memory.js', import.meta.url).href],
  })

export const startEcho = (): Promise<ServerProcess> => start('echo.js', [])

export const startBareExpress = (answers: Readonly<Record<string, string>>): Promise<ServerProcess> =>
  start('bare-express.js', [], { env: { ANSWERS: JSON.stringify(answers) } })
