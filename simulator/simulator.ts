import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { IdentityProviders } from './auth/identity-providers.js'
import type { TokenVerifier } from './auth/token.js'
import { Users } from './auth/users.js'
import { type BehaviourName, behaviourNames, behaviourOf } from './base/behaviour.js'
import { SettingError, StateError } from './base/errors.js'
import type { Control } from './control/state/control.js'
import { endpoints } from './endpoints.js'
import { send, textAnswer } from './http/answer.js'
import { createApplication } from './http/application.js'
import { usualBodyLimit } from './http/call.js'
import { methodAndPath } from './http/endpoint.js'
import { headRefusal, withHeadRules } from './http/head-rules.js'
import { hinted, logged, remark } from './http/request-log.js'
import { createHttpServer, endable } from './http/server.js'
import { WebAccess } from './http/web-access.js'
import { AdjustableClock, systemClock } from './ledger/state/clock.js'
import { createEntropy } from './ledger/state/entropy.js'
import { Ledger } from './ledger/state/ledger.js'
import { firstState } from './ledger/state/ledger-state.js'
import { usualDecisions } from './ledger/state/ledger-view.js'
import type { ServingOptions, SimulatorOptions } from './options.js'
import { ConnectionActivity, type Participant } from './participant/participant.js'
import { usualLimits } from './sockets/stream-socket.js'
import { type ClosedSocket, logSocket, StreamSockets } from './sockets/stream-sockets.js'

export { type BehaviourName, behaviourNames, SettingError, type SimulatorOptions, StateError }

const loopback = '127.0.0.1'
const usualReceiveLimit = 30_000
/** Seconds: the default of the reference participant 3.5.10. */
const usualTokenLifetime = 300
const longestTokenLifetime = 999_999_999

export interface Simulator {
  /** Base URL without a final slash. */
  url: string
  /** Ends after at most `milliseconds`, in which pending requests complete; default 0. */
  close(milliseconds?: number): Promise<void>
}

/**
 * Rejects as `createParticipant` and `serve` do.
 * @example
 * const { url, close } = await startSimulator({ port: 0, seed: 'orders' })
 * await fetch(`${url}/v2/version`) // status 200
 * await close()
 */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  serve(await createParticipant(options), options)

/** Does not listen yet. Rejects with `SettingError` and `StateError`. */
export async function createParticipant(options: SimulatorOptions = {}): Promise<Participant> {
  const clock = new AdjustableClock(options.clock ?? systemClock())
  const entropy = createEntropy(options.seed)
  const protocolVersion = protocolVersionOf(options)
  const beginning = { protocolVersion, synchronizers: options.synchronizers ?? 1 }
  const { without = [], decisions, seenAs, interceptor, bodyLimit = usualBodyLimit, cutsOff } = options.overrides ?? {}
  const participant: Participant = {
    clock,
    entropy,
    ledger: new Ledger(clock, entropy, firstState(beginning, entropy), { ...usualDecisions, ...decisions?.() }),
    users: Users.first(),
    identityProviders: new IdentityProviders(new Map()),
    behaviour: behaviourOf(options.behaviour ?? 'canton-3.5'),
    without: new Set(without),
    verify: await authorizationOf(options),
    activity: new ConnectionActivity(),
    answerLimit: options.answerLimit ?? 20_000,
    bodyLimit,
    ...(cutsOff && { cutsOff }),
    ...(seenAs && { seenAs }),
    ...(interceptor && { interceptor }),
  }
  if ((options.state ?? options.packages ?? options.parties ?? options.users) !== undefined) {
    // Loaded only if needed, because it slows the start.
    await (await import('./initial-state.js')).fillParticipant(participant, options)
  }
  return participant
}

/** The reference 3.4 has protocol version 34 only. Throws `SettingError`. */
function protocolVersionOf({ behaviour, protocolVersion }: SimulatorOptions): 34 | 35 {
  if (behaviour !== 'canton-3.4') return protocolVersion ?? 35
  if (protocolVersion === 35)
    throw new SettingError('protocolVersion', 'the behaviour canton-3.4 supports only protocol version 34')
  return 34
}

interface Serving extends ServingOptions {
  keeper?: Keeper
  /** Prints paths that the simulator does not serve, with the served operations. */
  hints?: boolean
}

/** With the option `control`, for calls without the network, which a test of a client may have replaced. */
interface ControlledSimulator extends Simulator {
  control?: Control
}

/**
 * Rejects with `SettingError`, and with the error of the socket, such as EADDRINUSE.
 */
export async function serve(participant: Participant, options: Serving = {}): Promise<ControlledSimulator> {
  if (!options.control) return serveApplication(createApplication(participant, endpoints), participant, options)
  // Loaded only if needed, because it slows the start.
  const { controlledApplication } = await import('./control/controlled-application.js')
  const { application, control, closed } = controlledApplication(participant, endpoints)
  return { ...(await serveApplication(application, participant, { ...options, closed })), control }
}

/** For Node, an empty host means every address. Throws `SettingError`. */
function expectHost(host: string): void {
  if (host === '')
    throw new SettingError('host', 'it is empty, which would mean every address; 0.0.0.0 means all IPv4 addresses')
}

async function serveApplication(
  application: RequestListener,
  participant: Participant,
  {
    port = 0,
    host = loopback,
    receiveLimit = usualReceiveLimit,
    verbose = false,
    hints = false,
    keeper,
    ...options
  }: Serving & {
    closed?: (socket: ClosedSocket) => void
  },
): Promise<Simulator> {
  expectHost(host)
  const { activity } = participant
  const access = new WebAccess({ ...options, host })
  const sockets = new StreamSockets({
    participant,
    endpoints,
    access,
    limits: { ...usualLimits(receiveLimit), ...options.socketLimits },
    closed: [options.closed ?? [], verbose ? logSocket : []].flat(),
  })
  const withHints = hints ? hinted(application, endpoints.map(methodAndPath)) : application
  const refusalOf = headRefusal(participant.behaviour)
  const kept = keeper ? refuseUnsaved(withHints, keeper) : withHints
  const guarded = withHeadRules(access.guard(kept), refusalOf)
  const server = createHttpServer(verbose ? logged(guarded) : guarded, {
    receiveLimit,
    upgrade: sockets.upgrade,
    refusalOf,
    isLenient: participant.behaviour.has('http-head-limits'),
  })
  const end = endable(server)
  server.on('connection', (socket) => activity.heard(socket))
  server.on('request', ({ socket }) => activity.heard(socket))
  await listen(server, port, host)
  const address = server.address() as AddressInfo // a server that listens on TCP has one
  const close = (milliseconds = 0): Promise<void> => {
    sockets.close()
    return end(milliseconds)
  }
  return { url: `http://${hostInUrl(host)}:${address.port}`, close }
}

/** Undefined without authorization. */
async function authorizationOf({
  authorization = 'none',
  maxTokenLifetime = usualTokenLifetime,
}: SimulatorOptions): Promise<TokenVerifier | undefined> {
  if (!Number.isInteger(maxTokenLifetime) || maxTokenLifetime < 1 || maxTokenLifetime > longestTokenLifetime) {
    const expected = `expected a whole number of seconds from 1 to ${longestTokenLifetime}`
    throw new SettingError('maxTokenLifetime', `${expected}, not ${String(maxTokenLifetime)}`)
  }
  if (authorization === 'none') return undefined
  // Loaded only if needed, because it slows the start.
  const { readAuthorization } = await import('./auth/token.js')
  return readAuthorization(authorization, maxTokenLifetime)
}

/** The loopback address if the server listens on every address. */
const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })

/** Saves the state. */
interface Keeper {
  /** Call it after each request that may have changed the state. */
  changed(): void
  /** Of the latest save. */
  readonly problem: string | undefined
}

/** Otherwise clients rely on changes that the next start has lost. A refused change is a reason for another save. */
const refuseUnsaved =
  (listener: RequestListener, keeper: Keeper): RequestListener =>
  (request, response) => {
    const { method, url = '' } = request
    if (method === 'GET') return listener(request, response)
    response.once('close', () => keeper.changed())
    const { problem } = keeper
    if (problem === undefined || url.startsWith('/control/')) return listener(request, response)
    remark(request, problem)
    const refusal = `The simulator rejects changes, because it cannot save its state (${problem}, see its log).`
    send(response, textAnswer(503, refusal))
  }
