/** One side of an exploration, target or reference: its connections, credentials and discovered facts. */
import { setTimeout as delay } from 'node:timers/promises'
import { Redaction } from '../../lib/redaction/redaction.js'
import type { Evidence } from '../../record/types/record.js'
import { createTokens, type Tokens } from '../../runner/execute/tokens.js'
import { findDefaultUser } from '../../runner/provision/assign-users.js'
import { type Caller, callerAs, type Uploader, uploaderAs } from '../../runner/provision/caller.js'
import { type Discovery, discover } from '../../runner/provision/discover.js'
import { KeyRing } from '../../runner/sign/key-ring.js'
import type { Target } from '../../runner/target/target.js'
import { readRetryRequest } from '../../runner/transport/availability.js'
import { HeldConnection } from '../../runner/transport/held-connection.js'
import { resendIfPartlySent } from '../../runner/transport/resend-if-partly-sent.js'
import { createTransport, type Transport } from '../../runner/transport/transport.js'

export type SideName = 'target' | 'reference'

export interface Side {
  name: SideName
  target: Target
  /** Uses one connection and reopens it when it was closed. */
  transport: Transport
  tokens: Tokens
  keys: KeyRing
  discovery: Discovery
  /** The user of requests that belong to no actor. */
  defaultUser: string
  /** The same participant over `count` more connections, for concurrent requests. */
  clients(count: number): readonly Side[]
  /** The same participant with its own keys and connection, for another worker. */
  fork(): Side
  as(user: string): Caller
  uploadAs(user: string): Uploader
  close(): Promise<void>
}

/** Discovers the participant without changes. `redaction` learns every token. Rejects with `TargetError`. */
export async function openSide(
  name: SideName,
  target: Target,
  timeLimit: number,
  redaction: Redaction = new Redaction(),
): Promise<Side> {
  for (const [header, value] of target.connection.headers) redaction.register(value, `header ${header}`)
  const plain = createTransport(target.url, timeLimit, target.connection)
  const connections: HeldConnection[] = []
  const newTransport = (): Transport => {
    const held = new HeldConnection()
    connections.push(held)
    const once = (...[request, label]: Parameters<Transport['send']>) =>
      plain.send(request, label, { held, again: true })
    return { send: (request, label) => repeatOnBusy(() => resendIfPartlySent(() => once(request, label))) }
  }
  const transport = newTransport()
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const defaultUser = findDefaultUser(target)
  const discovery = await discover(callerAs(defaultUser, transport, tokens), new Set(), (found) => {
    participantId = found
  })
  const sideOver = (transport: Transport): Side => {
    const others: Side[] = []
    const side: Side = {
      ...{ name, target, transport, tokens, keys: new KeyRing(), discovery, defaultUser },
      as: (user) => callerAs(user, transport, tokens),
      uploadAs: (user) => uploaderAs(user, transport, tokens),
      clients: (count) => {
        while (others.length < count) others.push({ ...side, transport: newTransport() })
        return others.slice(0, count)
      },
      fork: () => sideOver(newTransport()),
      close: async () => {
        for (const held of connections) await held.end()
      },
    }
    return side
  }
  return sideOver(transport)
}

/** Milliseconds between attempts: without a Retry-After header, and at least. */
const usualWait = 500
const shortestWait = 50
/** Milliseconds for all attempts. */
const longestWait = 20_000

/** Repeats a request after status 429, which means that the participant did not process it. Returns the last answer. */
async function repeatOnBusy(send: () => Promise<Evidence>): Promise<Evidence> {
  const end = performance.now() + longestWait
  for (;;) {
    const evidence = await send()
    const retryAfter = readRetryRequest(evidence, Date.now())
    if (retryAfter === undefined) return evidence
    const wait = Math.max(retryAfter.milliseconds ?? usualWait, shortestWait)
    if (performance.now() + wait > end) return evidence
    await delay(wait)
  }
}
