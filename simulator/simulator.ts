import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthorizationSettingError } from './auth/setting-error.js'
import type { TokenVerifier } from './auth/token.js'
import { Users } from './auth/users.js'
import { type BehaviourName, behaviourNames, behaviourOf } from './behaviour.js'
import { enforceAllBut } from './checks.js'
import { createApplication } from './http/application.js'
import { endpoints } from './http/endpoints.js'
import { createHttpServer } from './http/server.js'
import { type Clock, systemClock } from './ledger/clock.js'
import { createEntropy } from './ledger/entropy.js'
import { Ledger } from './ledger/ledger.js'
import type { Participant } from './participant.js'

export { AuthorizationSettingError, type BehaviourName, behaviourNames }

export interface SimulatorOptions {
  /** TCP port on the loopback address; 0 picks a free one. */
  port?: number
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
}

export interface Simulator {
  /** Base URL, without a slash at the end. */
  url: string
  close(): Promise<void>
}

/** Starts a simulated participant and rejects as `createParticipant` and `serve` do. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  serve(await createParticipant(options), options)

/** A participant that nobody can reach yet. Rejects with `AuthorizationSettingError`. */
export async function createParticipant(options: SimulatorOptions = {}): Promise<Participant> {
  const ledger = new Ledger({
    clock: options.clock ?? systemClock(),
    entropy: createEntropy(options.seed),
    protocolVersion: options.protocolVersion ?? 35,
    synchronizers: options.synchronizers ?? 1,
  })
  return {
    ledger,
    users: new Users(),
    behaviour: behaviourOf(options.behaviour ?? 'canton-3.5'),
    enforcement: enforceAllBut(new Set(options.without)),
    verify: await authorizationOf(options.authorization ?? 'none', ledger),
    answerLimit: options.answerLimit ?? 20_000,
  }
}

/** Rejects with the error of the socket when it cannot listen: its code says why, for example EADDRINUSE. */
export async function serve(
  participant: Participant,
  { port = 0, receiveLimit = 30_000 }: Pick<SimulatorOptions, 'port' | 'receiveLimit'> = {},
): Promise<Simulator> {
  const server = createHttpServer(createApplication(participant, endpoints), receiveLimit)
  await listen(server, port)
  const address = server.address() as AddressInfo // a server that listens on TCP has one
  return { url: `http://127.0.0.1:${address.port}`, close: () => close(server) }
}

/** Undefined: nobody is asked for a token. What checks them is loaded only where it is needed: it would slow every start. */
async function authorizationOf(setting: string, { participantId }: Ledger): Promise<TokenVerifier | undefined> {
  if (setting === 'none') return undefined
  const { readAuthorization } = await import('./auth/token.js')
  return readAuthorization(setting, participantId)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })

const close = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
