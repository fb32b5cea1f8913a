/** One of the two participants that are compared: how it is talked to, and what was found out about it beforehand. */

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

export type SideName = 'target' | 'model'

export interface Side {
  name: SideName
  target: Target
  /** Over one connection, which is opened anew where it was closed. */
  transport: Transport
  tokens: Tokens
  keys: KeyRing
  discovery: Discovery
  /** By whom anybody's questions are asked. */
  defaultUser: string
  /** The same participant over as many connections more, for clients that ask at once. */
  clients(count: number): readonly Side[]
  /** The same participant for conversations that know nothing of the others: with keys and connections of its own. */
  lane(): Side
  as(user: string): Caller
  uploadAs(user: string): Uploader
  close(): Promise<void>
}

/** Looks at a participant and changes nothing. `redaction` learns every token. Throws `TargetError` where it cannot be reached. */
export async function openSide(
  name: SideName,
  target: Target,
  timeLimit: number,
  redaction: Redaction = new Redaction(),
): Promise<Side> {
  for (const [header, value] of target.connection.headers) redaction.register(value, `header ${header}`)
  const plain = createTransport(target.url, timeLimit, target.connection)
  const connections: HeldConnection[] = []
  const over = (): Transport => {
    const held = new HeldConnection()
    connections.push(held)
    const once = (...[request, label]: Parameters<Transport['send']>) =>
      plain.send(request, label, { held, again: true })
    return { send: (request, label) => patiently(() => resendIfPartlySent(() => once(request, label))) }
  }
  const transport = over()
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const defaultUser = findDefaultUser(target)
  const discovery = await discover(callerAs(defaultUser, transport, tokens), new Set(), (found) => {
    participantId = found
  })
  const laneOver = (transport: Transport): Side => {
    const others: Side[] = []
    const lane: Side = {
      ...{ name, target, transport, tokens, keys: new KeyRing(), discovery, defaultUser },
      as: (user) => callerAs(user, transport, tokens),
      uploadAs: (user) => uploaderAs(user, transport, tokens),
      clients: (count) => {
        while (others.length < count) others.push({ ...lane, transport: over() })
        return others.slice(0, count)
      },
      lane: () => laneOver(over()),
      close: async () => {
        for (const held of connections) await held.end()
      },
    }
    return lane
  }
  return laneOver(transport)
}

// A participant that has no time for the moment: what it was asked then it has not looked at, and it is asked again.

/** All in milliseconds: where it does not say how long; at least, so that zero seconds keep nobody busy; and in all. */
const usual = 500
const shortest = 50
const longest = 20_000

/** Sends again for as long as the answer is 429 and the time that it asks for is not too long; the last answer counts. */
async function patiently(send: () => Promise<Evidence>): Promise<Evidence> {
  const end = performance.now() + longest
  for (;;) {
    const evidence = await send()
    const asked = readRetryRequest(evidence, Date.now())
    if (asked === undefined) return evidence
    const wait = Math.max(asked.milliseconds ?? usual, shortest)
    if (performance.now() + wait > end) return evidence
    await delay(wait)
  }
}
