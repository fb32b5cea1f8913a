/** `conform simulate`: the simulator alone, until it is told to stop. */
import { log } from '../simulator/log.js'
import { type BehaviourName, behaviourNames, startSimulator } from '../simulator/simulator.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { UsageError } from './usage-error.js'

export interface SimulateFlags {
  port: number
  behaviour: string
  authorization: string
  protocolVersion: number
  synchronizers: number
  seed?: string
}

export async function simulateCommand(flags: SimulateFlags): Promise<ExitCode> {
  const { port, authorization } = flags
  const simulator = await startSimulator({
    port,
    authorization,
    behaviour: behaviourNamed(flags.behaviour),
    protocolVersion: protocolVersionOf(flags.protocolVersion),
    synchronizers: synchronizersOf(flags.synchronizers),
    ...(flags.seed !== undefined && { seed: flags.seed }),
  }).catch((error: unknown) => {
    throw portProblem(error, port)
  })
  console.log(simulator.url)
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

function portProblem(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new UsageError(`port: ${port} is in use; --port 0 picks a free one`)
  if (code === 'EACCES') return new UsageError(`port: this user may not listen on ${port}`)
  return error
}
