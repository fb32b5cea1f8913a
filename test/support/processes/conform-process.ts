import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What `conform` is started with: as users start it, without the options of Node that test files get. */
export const commandLine: readonly string[] = [fileURLToPath(new URL('../../../cli/conform.js', import.meta.url))]

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `conform` as a user would: a process of its own, waited for. */
export const conform = (...options: string[]): Promise<Ended> => conformIn({}, ...options)

/** The same in another folder, and with more in its environment. */
export const conformIn = (
  { folder, environment }: { folder?: string; environment?: Record<string, string> },
  ...options: string[]
): Promise<Ended> => watched(start(options, folder, environment))

/** The same without waiting: it can be given a signal. */
export function startConform(...options: string[]): { ended: Promise<Ended>; kill(signal: NodeJS.Signals): void } {
  const child = start(options)
  return { ended: watched(child), kill: (signal) => void child.kill(signal) }
}

async function watched(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null] // the arguments of the event
  return { code, ...output }
}

export interface RunningSimulator {
  url: string
  /** Everything it printed so far. */
  printed(): string
  /** The same for standard error. */
  complained(): string
  signal(name: NodeJS.Signals): void
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>
}

/** Starts `conform simulate` and waits for the line with its URL. */
export const simulate = (...options: string[]): Promise<RunningSimulator> => simulateIn(undefined, ...options)

/** The same in another folder. */
export const simulateIn = (folder: string | undefined, ...options: string[]): Promise<RunningSimulator> =>
  watchedSimulator(start(simulating(options), folder))

/**
 * The same as process 1 of a process namespace, as in a container. Only a signal that cannot be handled ends it at once. On a
 * machine without namespaces it is an ordinary process.
 */
export const simulateAlone = (...options: string[]): Promise<RunningSimulator> =>
  watchedSimulator(started([...namespaceCommand(), process.execPath, ...commandLine, ...simulating(options)]))

/** Users without privileges create the namespace in a namespace of users. */
function namespaceCommand(): string[] {
  const commands = [[], ['--user', '--map-root-user']].map((more) => [
    'unshare',
    ...more,
    '--pid',
    '--fork',
    '--kill-child',
  ])
  return commands.find(([command = '', ...options]) => spawnSync(command, [...options, 'true']).status === 0) ?? []
}

const simulating = (options: readonly string[]): string[] => ['simulate', '--port', '0', ...options]

async function watchedSimulator(child: ChildProcess): Promise<RunningSimulator> {
  let printed = ''
  let complained = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const url = /^(http:\S+)\n/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('close', (code) => reject(new Error(`conform simulate ended with ${code} before it was ready`)))
  })
  const closed = once(child, 'close')
  return {
    url: await ready,
    printed: () => printed,
    complained: () => complained,
    signal: (name) => child.kill(name),
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = (await closed) as [number | null] // the arguments of the event
      return code
    },
  }
}

const start = (options: readonly string[], cwd?: string, environment?: Record<string, string>): ChildProcess =>
  started([process.execPath, ...commandLine, ...options], cwd, environment)

const started = (
  [command = '', ...options]: readonly string[],
  cwd?: string,
  environment?: Record<string, string>,
): ChildProcess =>
  spawn(command, options, {
    ...(cwd !== undefined && { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // What comes late has tests of its own, and every other one would wait for it.
    env: { ...process.env, NO_COLOR: '1', CONFORM_LATE_LOOK: '0', ...environment },
  })
