import { supportOperations } from '../../interface/operations.js'
import type { Redaction } from '../../lib/redaction/redaction.js'
import type { Evidence, RecordedOutage } from '../../record/types/record.js'
import { createTokens, type Tokens } from '../../runner/execute/tokens.js'
import { findDefaultUser } from '../../runner/provision/assign-users.js'
import { type Caller, callerAs, type Uploader, uploaderAs } from '../../runner/provision/caller.js'
import { type Discovery, discover, findDifferentParticipant } from '../../runner/provision/discover.js'
import { KeyRing } from '../../runner/sign/signing-key.js'
import { registerSecrets, type Target } from '../../runner/target/target.js'
import { isUnavailable } from '../../runner/transport/availability.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { HeldConnection } from '../../runner/transport/kept-connections.js'
import { OutageGuard, type WatchedTransport } from '../../runner/transport/outage-guard.js'
import { createTransport, type Transport } from '../../runner/transport/transport.js'

export type SideName = 'target' | 'reference'

export interface Side {
  name: SideName
  target: Target
  /** For one step. Uses one connection and reopens it when it was closed. */
  watch(): WatchedTransport
  /** Finds the outages of all forks. */
  guard: OutageGuard
  tokens: Tokens
  keys: KeyRing
  discovery: Discovery
  defaultUser: string
  clients(count: number): readonly Side[]
  /** The same participant for another worker, with its own keys and connection. */
  fork(): Side
  as(user: string): Caller
  /** Also sends when the exploration ends. */
  restoreAs(user: string): Caller
  uploadAs(user: string): Uploader
  close(): Promise<void>
}

export interface SideOptions {
  name: SideName
  target: Target
  /** Milliseconds. */
  timeLimit: number
  /** Milliseconds from the first unanswered request. */
  patience: number
  /** Learns every token. */
  redaction: Redaction
  end: EarlyEnd
  report(outage: RecordedOutage): void
}

/** Milliseconds. */
const probeLimit = 5_000

/** Rejects with `TargetError`. */
export async function openSide(options: SideOptions): Promise<Side> {
  const { name, target, timeLimit, redaction } = options
  registerSecrets(target, redaction)
  const plain = createTransport(target.url, timeLimit, target.connection)
  const quick = createTransport(target.url, Math.min(probeLimit, timeLimit), target.connection)
  const defaultUser = findDefaultUser(target)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const guard = new OutageGuard(plain, {
    side: name,
    skipsSilentPaths: false,
    patience: options.patience,
    end: options.end,
    report: options.report,
    probe: await probeOf(quick),
    findDifferentParticipant: () => findDifferentParticipant(participantId, callerAs(defaultUser, quick, tokens)),
  })
  const discovery = await discover(callerAs(defaultUser, guard.provisioning, tokens), new Set(), (found) => {
    participantId = found
  })
  guard.targetHasWorked()
  const connections: HeldConnection[] = []
  const newWatch = (): Side['watch'] => {
    const held = new HeldConnection()
    connections.push(held)
    return () => {
      const watched = guard.forRow()
      return {
        send: (request, label) => watched.send({ ...request, connection: { held, again: true } }, label),
        get disruption() {
          return watched.disruption
        },
      }
    }
  }
  const sideOver = (watch: Side['watch']): Side => {
    const others: Side[] = []
    const side: Side = {
      name,
      target,
      watch,
      guard,
      tokens,
      keys: new KeyRing(),
      discovery,
      defaultUser,
      as: (user) => callerAs(user, guard.provisioning, tokens),
      restoreAs: (user) => callerAs(user, guard.provisioning, tokens, 'restore'),
      uploadAs: (user) => uploaderAs(user, guard.provisioning, tokens),
      clients: (count) => {
        while (others.length < count) others.push({ ...side, watch: newWatch() })
        return others.slice(0, count)
      },
      fork: () => sideOver(newWatch()),
      close: async () => {
        for (const held of connections) await held.end()
      },
    }
    return side
  }
  return sideOver(newWatch())
}

/** A participant that starts answers for its version before it is ready. */
async function probeOf(transport: Transport): Promise<() => Promise<Evidence>> {
  const probe = (operation: 'version' | 'readyz'): Promise<Evidence> => {
    const { method, path } = supportOperations[operation]
    const headers: [string, string][] = [['accept', 'application/json']]
    return transport.send({ method, path, headers, body: undefined }, { step: 0, role: 'arrange' })
  }
  const showsReadiness = !isUnavailable(await probe('readyz'))
  return async () => {
    const version = await probe('version')
    return showsReadiness && !isUnavailable(version) ? probe('readyz') : version
  }
}
