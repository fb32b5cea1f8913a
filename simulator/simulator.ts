import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { AuthorizationSettingError } from './auth/setting-error.js'
import type { TokenVerifier } from './auth/token.js'
import { Users } from './auth/users.js'
import { type BehaviourName, behaviourNames, behaviourOf } from './base/behaviour.js'
import { enforceAllBut } from './base/checks.js'
import { LedgerError } from './base/errors.js'
import { UnknownName } from './base/named.js'
import type { AskControl } from './control/ask-control.js'
import type { Control } from './control/control.js'
import { endpoints } from './endpoints.js'
import { createApplication } from './http/application.js'
import { endable } from './http/ending.js'
import { usualBodyLimit } from './http/request-body.js'
import { createHttpServer } from './http/server.js'
import { AdjustableClock } from './ledger/adjustable-clock.js'
import { type Clock, systemClock } from './ledger/clock.js'
import { usualDecisions } from './ledger/decisions.js'
import { createEntropy } from './ledger/entropy.js'
import { Ledger } from './ledger/ledger.js'
import { firstState } from './ledger/ledger-state.js'
import { Company } from './participant/company.js'
import type { Participant } from './participant/participant.js'
import { StateError } from './participant/state-error.js'
import type { SavedState } from './participant/state-file.js'
import { allDeviations, allVariations, type Otherwise, switchPointsOf } from './switch-points.js'

export type { Circumstances, Deviation } from './deviations/deviation.js'
export type { Variation } from './variations/variation.js'
export {
  AuthorizationSettingError,
  allDeviations,
  allVariations,
  type BehaviourName,
  behaviourNames,
  StateError,
  UnknownName,
}

export interface SimulatorOptions extends Otherwise {
  /** TCP port; 0 picks a free one. */
  port?: number
  /** Name or address to listen on; the loopback address where nothing is said. */
  host?: string
  behaviour?: BehaviourName
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`. */
  authorization?: string
  protocolVersion?: 34 | 35
  /** How many synchronizers the participant is connected to, from 0 on; 1 where nothing is said. */
  synchronizers?: number
  /** Repeats every id of a run. */
  seed?: string
  clock?: Clock
  /** Milliseconds after which a caller is told to try again; 20 s, as the reference participant 3.5.10. */
  answerLimit?: number
  /** Milliseconds in which a request has to arrive, with its body; 30 s. */
  receiveLimit?: number
  /** Ids of rules that this simulator does not enforce. */
  without?: readonly string[]
  /** A saved state to start from, as the control plane gives it or as a file holds it; it brings its own seed, protocol version and synchronizers. */
  state?: SavedState
  /** DARs that are uploaded before anybody can ask for anything, and vetted on every synchronizer. */
  packages?: readonly PackageFile[]
  /** Whether it can be looked at and changed from outside, below `/control`. */
  control?: boolean
}

const loopback = '127.0.0.1'
const usualReceiveLimit = 30_000

export interface Simulator {
  /** Base URL, without a slash at the end. */
  url: string
  /** Ends it; those who wait for an answer have so many milliseconds to get one, none where nothing is said. */
  close(patience?: number): Promise<void>
}

/** Starts a simulated participant and rejects as `createParticipant` and `serve` do. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  serve(await createParticipant(options), options)

export interface ControlledSimulator extends Simulator {
  /** Makes a call of the control plane without the network, which whoever tests a client may have replaced. */
  ask: AskControl
}

/** Starts one with its control plane, for whoever is in the same process. Rejects as `startSimulator` does. */
export async function startControlledSimulator(
  options: Omit<SimulatorOptions, 'control'> = {},
): Promise<ControlledSimulator> {
  const { port = 0, host = loopback, receiveLimit = usualReceiveLimit } = options
  const participant = await createParticipant(options)
  const [{ askControl }, { application, control }] = await Promise.all([
    import('./control/ask-control.js'),
    controlled(participant, host),
  ])
  const simulator = await serveApplication(application, participant, { port, host, receiveLimit })
  return { ...simulator, ask: askControl(control) }
}

export interface SavedSimulator extends Simulator {
  /** Everything that it remembers now, as a text from which others start. */
  state(): Promise<string>
}

/** Starts one whose state can be taken, for whoever is in the same process. Rejects as `startSimulator` does. */
export async function startSavedSimulator(options: SimulatorOptions = {}): Promise<SavedSimulator> {
  const participant = await createParticipant(options)
  const state = async (): Promise<string> => {
    const { saveState } = await import('./participant/participant-state.js')
    return JSON.stringify(saveState(participant))
  }
  return { ...(await serve(participant, options)), state }
}

/**
 * A participant that nobody can reach yet. Rejects with `AuthorizationSettingError`, `StateError` and `PackageFileError`, and
 * with `UnknownName` for a deviation or variation that there is not.
 */
export async function createParticipant(options: SimulatorOptions = {}): Promise<Participant> {
  const clock = new AdjustableClock(options.clock ?? systemClock())
  const entropy = createEntropy(options.seed)
  const beginning = { protocolVersion: options.protocolVersion ?? 35, synchronizers: options.synchronizers ?? 1 }
  const { without = [], decisions, seenAs, door, bodyLimit = usualBodyLimit } = await switchPointsOf(options)
  const participant: Participant = {
    clock,
    entropy,
    ledger: new Ledger(clock, entropy, firstState(beginning, entropy), { ...usualDecisions, ...decisions?.() }),
    users: Users.first(),
    behaviour: behaviourOf(options.behaviour ?? 'canton-3.5'),
    enforcement: enforceAllBut(new Set([...(options.without ?? []), ...without])),
    verify: await authorizationOf(options.authorization ?? 'none'),
    company: new Company(),
    answerLimit: options.answerLimit ?? 20_000,
    bodyLimit,
    ...(seenAs && { seenAs }),
    ...(door && { door }),
  }
  if (options.state !== undefined) {
    await restore(options.state, participant)
  }
  if (options.packages) await uploadPackages(options.packages, participant)
  return participant
}

/** `onChange` is called whenever something may have changed. Rejects with the error of the socket when it cannot listen: its code says why, for example EADDRINUSE. */
export async function serve(
  participant: Participant,
  {
    port = 0,
    host = loopback,
    receiveLimit = usualReceiveLimit,
    control = false,
    onChange,
  }: Pick<SimulatorOptions, 'port' | 'host' | 'receiveLimit' | 'control'> & { onChange?: () => void } = {},
): Promise<Simulator> {
  const application = control
    ? (await controlled(participant, host)).application
    : createApplication(participant, endpoints, { host })
  return serveApplication(application, participant, { port, host, receiveLimit, ...(onChange && { onChange }) })
}

interface Serving {
  port: number
  host: string
  receiveLimit: number
  onChange?: () => void
}

async function serveApplication(
  application: RequestListener,
  { company }: Participant,
  { port, host, receiveLimit, onChange }: Serving,
): Promise<Simulator> {
  const server = createHttpServer(application, receiveLimit)
  const end = endable(server)
  server.on('connection', (socket) => company.heard(socket))
  server.on('request', ({ method, socket }, response) => {
    company.heard(socket)
    if (onChange && method !== 'GET') response.once('close', onChange)
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo // a server that listens on TCP has one
  return { url: `http://${reachable(host)}:${address.port}`, close: (patience = 0) => end(patience) }
}

/** A DAR, and what it is called in messages. */
export interface PackageFile {
  name: string
  bytes: Uint8Array
}

/** A DAR that cannot be taken; the message names it and says why. */
export class PackageFileError extends Error {
  override readonly name = 'PackageFileError'
}

// What follows is loaded only where it is needed: it would slow every start.

async function controlled(
  participant: Participant,
  host: string,
): Promise<{ application: RequestListener; control: Control }> {
  const { controlledApplication } = await import('./control/controlled-application.js')
  return controlledApplication(participant, endpoints, host)
}

async function restore(saved: SavedState, participant: Participant): Promise<void> {
  const { restoreState, takeState } = await import('./participant/participant-state.js')
  if (typeof saved === 'string') {
    const { readStateDocument } = await import('./participant/state-document.js')
    restoreState(readStateDocument(saved), participant)
  } else {
    const { stateInLines } = await import('./participant/state-lines.js')
    takeState(await stateInLines(saved), participant)
  }
}

async function uploadPackages(files: readonly PackageFile[], { ledger }: Participant): Promise<void> {
  const [{ uploadedPackages }, { inTurns }] = await Promise.all([
    import('./support/uploaded-packages.js'),
    import('./base/slices.js'),
  ])
  for (const { name, bytes } of files) {
    try {
      const packages = await inTurns(uploadedPackages(bytes, ledger.packages))
      if (ledger.synchronizers.length === 0) ledger.upload(packages, undefined)
      for (const synchronizer of ledger.synchronizers) ledger.upload(packages, synchronizer)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      const { code, cause, context = {} } = error.details
      throw new PackageFileError(`${name}: ${code}: ${[cause, context['throwable']].filter(Boolean).join(': ')}`)
    }
  }
}

/** Undefined: nobody is asked for a token. */
async function authorizationOf(setting: string): Promise<TokenVerifier | undefined> {
  if (setting === 'none') return undefined
  const { readAuthorization } = await import('./auth/token.js')
  return readAuthorization(setting)
}

/** As it stands in a URL; where it listens on every address, this machine's own. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
