/** `conform simulate`: the simulator alone, until it is told to stop. */
import { readFile } from 'node:fs/promises'
import { log } from '../simulator/base/log.js'
import { isLoopback } from '../simulator/http/browser-guard.js'
import {
  type BehaviourName,
  behaviourNames,
  type PackageFile,
  PackageFileError,
  StateError,
  startSimulator,
} from '../simulator/simulator.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { UsageError } from './usage-error.js'

export interface SimulateFlags {
  port: number
  host: string
  behaviour: string
  authorization: string
  protocolVersion: number
  synchronizers: number
  seed?: string
  data?: string
  /** DARs. */
  package?: string[]
  control?: boolean
}

export async function simulateCommand(flags: SimulateFlags): Promise<ExitCode> {
  const { port, host, authorization } = flags
  const simulator = await startSimulator({
    port,
    host,
    authorization,
    behaviour: behaviourNamed(flags.behaviour),
    protocolVersion: protocolVersionOf(flags.protocolVersion),
    synchronizers: synchronizersOf(flags.synchronizers),
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(flags.data !== undefined && { state: await readState(flags.data) }),
    ...(flags.package && { packages: await Promise.all(flags.package.map(readDar)) }),
    control: flags.control ?? false,
  }).catch((error: unknown) => {
    if (error instanceof PackageFileError) throw new UsageError(`package: ${error.message}`)
    throw error instanceof StateError ? stateProblem(error, flags.data ?? '') : portProblem(error, port, host)
  })
  if (!isLoopback(host)) console.error(openWarning(host, flags))
  console.log([simulator.url, ...(flags.control ? [`control plane: ${simulator.url}/control`] : [])].join('\n'))
  // Whatever a client brings about by a fault of ours, the others shall not suffer for it. Nothing is half done: the ledger
  // is only ever changed in one piece.
  process.on('uncaughtException', (error) => log('a fault of its own', error))
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await simulator.close()
  return exitCode.conforming
}

/** Whoever listens beyond the loopback address has to know who can reach it. */
function openWarning(host: string, { authorization, control }: SimulateFlags): string {
  const open = [authorization === 'none' && 'every operation', control && 'the control plane'].filter(Boolean)
  const consequence = open.length === 0 ? '' : ` and use ${open.join(' and ')} without a token`
  return `warning: the simulator listens on ${host}: whoever reaches this machine can reach it${consequence}`
}

function behaviourNamed(name: string): BehaviourName {
  const found = behaviourNames.find((known) => known === name)
  if (found) return found
  throw new UsageError(`behaviour: there is no ${name}; known: ${behaviourNames.join(', ')}`)
}

function protocolVersionOf(version: number): 34 | 35 {
  if (version === 34 || version === 35) return version
  throw new UsageError(`protocol-version: ${version} is not supported; known: 34, 35`)
}

/** More would only take time: a participant asks every synchronizer. */
const mostSynchronizers = 100

function synchronizersOf(count: number): number {
  if (count <= mostSynchronizers) return count
  throw new UsageError(`synchronizers: ${count} are too many; at most ${mostSynchronizers} can be simulated`)
}

async function readState(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(`data: ${file} cannot be read (${String(code)})`)
  }
}

async function readDar(name: string): Promise<PackageFile> {
  try {
    return { name, bytes: await readFile(name) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(`package: ${name} cannot be read (${String(code)})`)
  }
}

const stateProblem = ({ line, message }: StateError, file: string): UsageError =>
  new UsageError(`data: ${[file, ...(line === undefined ? [] : [line])].join(':')}: ${message}`)

function portProblem(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new UsageError(`port: ${port} is in use; --port 0 picks a free one`)
  if (code === 'EACCES') return new UsageError(`port: this user may not listen on ${port}`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new UsageError(`host: ${host} is no address of this machine; 0.0.0.0 stands for all of them`)
  }
  return error
}
