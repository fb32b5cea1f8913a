import { camelCase } from '../../lib/camel-case.js'
import { inputReason, systemReason } from '../../lib/files/file-errors.js'
import { isLoopback } from '../../lib/loopback.js'
import { print, printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { log } from '../../simulator/base/log.js'
import type { KeptState } from '../../simulator/participant/kept-state.js'
import type { Overrides } from '../../simulator/participant/participant.js'
import {
  type BehaviourName,
  behaviourNames,
  createParticipant,
  SettingError,
  type Simulator,
  type SimulatorOptions,
  StateError,
  serve,
} from '../../simulator/simulator.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { hasConformFile } from '../target/conform-file.js'
import type { SimulateFile, SimulateFlags } from '../target/simulate-file.js'
import { simulatedVersion } from '../target/simulated-version.js'

/** Milliseconds for open requests after the stop signal; a little longer than any request takes. */
const shutdownTime = 21_000

/** `called` overrides conform.yaml. `overrides`: seeded faults of the laboratory. */
export async function simulateCommand(called: SimulateFlags, overrides: Overrides = {}): Promise<ExitCode> {
  const file = (await hasConformFile()) ? await readFileFlags() : undefined
  const flags = { ...file?.flags, ...called }
  const { port, host } = flags
  // The ledger stays consistent after an internal error, because its changes are atomic.
  process.on('uncaughtException', (error) => log('internal error', error))
  // Before a client can see the URL and send a signal.
  const stop = stopSignals()
  const kept = await keptState(flags)
  const state = kept ? kept.state : await readState(flags.data)
  if (state !== undefined) rejectFixedOptions(flags)
  const simulator = await start(flags, state, kept, overrides).catch(async (error: unknown) => {
    await kept?.release()
    if (error instanceof SettingError) throw settingProblem(error, called, file)
    if (error instanceof StateError) throw new UsageError(`data: ${flags.data ?? ''}: ${error.message}`)
    throw portProblem(error, port, host)
  })
  if (!isLoopback(host)) printError(openWarning(host, flags))
  print([simulator.url, ...(flags.control ? [`control plane: ${simulator.url}/control`] : [])].join('\n'))
  await stop.first
  await Promise.race([simulator.close(shutdownTime), stop.second.then(() => simulator.close(0))])
  await kept?.end().catch((error: unknown) => {
    throw new UsageError(`data: the state was not saved: ${error instanceof Error ? error.message : String(error)}`)
  })
  return exitCode.conforming
}

/** Loads its modules only for an existing file, to start fast. */
const readFileFlags = async (): Promise<SimulateFile | undefined> =>
  (await import('../target/simulate-file.js')).readSimulateFile(process.env)

/** The second signal ends the simulator immediately. */
function stopSignals(): { first: Promise<void>; second: Promise<void> } {
  let count = 0
  const resolvers: (() => void)[] = []
  const [first = Promise.resolve(), second = Promise.resolve()] = [0, 1].map(
    (index) =>
      new Promise<void>((resolve) => {
        resolvers[index] = resolve
      }),
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      resolvers[count]?.()
      count += 1
    })
  }
  return { first, second }
}

async function start(
  flags: SimulateFlags,
  state: string | undefined,
  kept: KeptState | undefined,
  overrides: Overrides,
): Promise<Simulator> {
  const { port, host, authorization, control = false, verbose = false } = flags
  const { package: packages, user: users, maxTokenLifetime, allowHost: allowHosts, allowOrigin: allowOrigins } = flags
  const options: SimulatorOptions = {
    authorization,
    overrides,
    behaviour: behaviourNamed(flags.behaviour),
    ...(flags.protocolVersion !== undefined && { protocolVersion: simulatedVersion(flags.protocolVersion) }),
    ...(flags.synchronizers !== undefined && { synchronizers: synchronizersOf(flags.synchronizers) }),
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(state !== undefined && { state }),
    ...(packages && { packages }),
    ...(users && { users: users.map((id) => ({ id })) }),
    ...(maxTokenLifetime !== undefined && { maxTokenLifetime }),
  }
  const participant = await createParticipant(options)
  const simulator = await serve(participant, {
    port,
    host,
    control,
    verbose,
    hints: true,
    ...(allowHosts && { allowHosts }),
    ...(allowOrigins && { allowOrigins }),
    ...(kept && { keeper: kept }),
  })
  try {
    await kept?.follow(participant)
  } catch (error) {
    await simulator.close()
    throw new UsageError(`data: ${flags.data} cannot be written (${systemReason(error)})`)
  }
  return simulator
}

async function keptState({ save, data }: SimulateFlags): Promise<KeptState | undefined> {
  if (!save) return undefined
  if (data === undefined) throw new UsageError('save: add --data FILE')
  const { KeptState } = await import('../../simulator/participant/kept-state.js')
  const { FileInUse } = await import('../../lib/files/lock-file.js')
  try {
    return await KeptState.open(data, () =>
      printError(`data: ${data} is locked; waiting 5 s, because the lock of a killed process expires`),
    )
  } catch (error) {
    if (error instanceof FileInUse) throw new UsageError(`data: ${data}: ${error.message}`)
    throw new UsageError(`data: ${data} cannot be used (${inputReason(error)})`)
  }
}

/** A saved state fixes these options, so they would have no effect. */
function rejectFixedOptions({ data, seed, protocolVersion, synchronizers }: SimulateFlags): void {
  const given = Object.entries({ seed, 'protocol-version': protocolVersion, synchronizers })
  const [name] = given.find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throw new UsageError(`${name}: the state in ${data} already fixes it; remove the option`)
}

const optionNames: Readonly<Record<string, string>> = {
  packages: 'package',
  users: 'user',
  allowHosts: 'allow-host',
  allowOrigins: 'allow-origin',
  maxTokenLifetime: 'max-token-lifetime',
}

function settingProblem(
  { option, problem }: SettingError,
  called: SimulateFlags,
  file: SimulateFile | undefined,
): Error {
  const name = optionNames[option] ?? option
  const isCalled = Object.hasOwn(called, camelCase(name))
  return file && !isCalled ? file.problem(name, problem) : new UsageError(`${name}: ${problem}`)
}

function openWarning(host: string, { authorization, control }: SimulateFlags): string {
  const open = [authorization === 'none' && 'every operation', control && 'the control plane'].filter(Boolean)
  const consequence = open.length === 0 ? '' : ` and can use ${open.join(' and ')} without a token`
  return `warning: the simulator listens on ${host}. Other machines can connect${consequence}`
}

function behaviourNamed(name: string): BehaviourName {
  const found = behaviourNames.find((known) => known === name)
  if (found) return found
  throw new UsageError(`behaviour: unknown behaviour ${name}; known: ${behaviourNames.join(', ')}`)
}

/** Each request visits every synchronizer. */
const maximumSynchronizers = 100

function synchronizersOf(count: number): number {
  if (count <= maximumSynchronizers) return count
  throw new UsageError(`synchronizers: ${count} exceeds the maximum of ${maximumSynchronizers}`)
}

async function readState(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const { readInputText } = await import('../../lib/files/read-input.js')
  return readInputText(file, 'a saved state')
}

function portProblem(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new UsageError(`port: ${port} is in use; --port 0 selects a free port`)
  if (code === 'ERR_SOCKET_BAD_PORT') return new UsageError(`port: expected a number from 0 to 65535, not ${port}`)
  if (code === 'EACCES') return new UsageError(`port: this user has no permission to listen on ${port}`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new UsageError(`host: ${host} is not an address of this machine; 0.0.0.0 means all addresses`)
  }
  return error
}
