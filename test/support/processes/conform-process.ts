import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../../cli/program.js'
import { capturing, inTurn, quick, withSignal, withSurroundings } from './program-calls.js'

/** Without the Node options of tests. */
export const commandLine: readonly string[] = [fileURLToPath(new URL('../../../cli/conform.js', import.meta.url))]

const laboratory = fileURLToPath(new URL('../../../lab/lab.js', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Calls the program in this process. */
export const conform = (...words: string[]): Promise<Ended> => conformIn({}, ...words)

/** With another folder and additional environment variables. `simulate` ends as soon as it runs. Not for `watch`. */
export const conformIn = (
  { folder, environment }: { folder?: string; environment?: Record<string, string> },
  ...words: string[]
): Promise<Ended> =>
  inTurn(async () => {
    const surroundings = { folder, environment: { ...quick, ...environment } }
    const program = () => runProgram(words, { color: false })
    const { result, ...printed } = await withSurroundings(surroundings, () =>
      capturing(words[0] === 'simulate' ? () => withSignal(program) : program),
    )
    return { code: result, ...printed }
  })

/** For signals, pipes and the end of a process. */
export const conformProcess = (...options: string[]): Promise<Ended> => conformProcessIn({}, ...options)

/** With another folder and additional environment variables. */
export const conformProcessIn = (
  { folder, environment }: { folder?: string; environment?: Record<string, string> },
  ...options: string[]
): Promise<Ended> => endOf(start(options, folder, environment))

/** Does not wait. */
export function startConform(...options: string[]): { ended: Promise<Ended>; kill(signal: NodeJS.Signals): void } {
  const child = start(options)
  return { ended: endOf(child), kill: (signal) => void child.kill(signal) }
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

export interface RunningSimulator {
  url: string
  printed(): string
  errorOutput(): string
  signal(name: NodeJS.Signals): void
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>
}

/** Waits until the simulator prints its URL. */
export const simulate = (...options: string[]): Promise<RunningSimulator> => simulateIn(undefined, ...options)

export const simulateIn = (folder: string | undefined, ...options: string[]): Promise<RunningSimulator> =>
  watchedSimulator(start(simulating(options), folder))

/** A simulator of the laboratory, with a mutant or permitted variants. */
export const simulateInLab = (...options: string[]): Promise<RunningSimulator> =>
  watchedSimulator(started([process.execPath, laboratory, ...simulating(options)]))

/** As process 1 of a namespace, like a container, if the machine supports it. */
export const simulateAlone = (...options: string[]): Promise<RunningSimulator> =>
  watchedSimulator(started([...namespaceCommand(), process.execPath, ...commandLine, ...simulating(options)]))

/** Without privileges, it needs a user namespace. */
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
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const url = /^(http:\S+)\n/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('close', (code) =>
      reject(new Error(`conform simulate exited with ${code} before it was ready: ${errorOutput}`)),
    )
  })
  const closed = once(child, 'close')
  return {
    url: await ready,
    printed: () => printed,
    errorOutput: () => errorOutput,
    signal: (name) => child.kill(name),
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = (await closed) as [number | null]
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
    env: { ...process.env, NO_COLOR: '1', ...quick, ...environment },
  })
