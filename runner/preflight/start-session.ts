import { randomBytes } from 'node:crypto'
import { supportOperations } from '../../interface/operations.js'
import { excerpt } from '../../lib/json/json.js'
import { Redaction } from '../../lib/redaction/redaction.js'
import type { Evidence } from '../../record/types/record.js'
import { CompletionsWatch } from '../execute/completions-watch.js'
import type { Session } from '../execute/session.js'
import { createTokens } from '../execute/tokens.js'
import { findDefaultUser } from '../provision/assign-users.js'
import { type Caller, callerAs, type Uploader, uploaderAs } from '../provision/caller.js'
import { KeyRing } from '../sign/key-ring.js'
import { knownSecrets } from '../target/known-secrets.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import { EarlyEnd } from '../transport/early-end.js'
import { type Outage, OutageGuard } from '../transport/outage-guard.js'
import { createTransport, type Transport } from '../transport/transport.js'
import { lateCheckDelay, type RunOptions } from './run-options.js'

/** What a run talks with, before it knows anything of its target. */
export interface StartedSession {
  /** Of this run: it is in the names of all that the run makes. */
  id: string
  /** For what the run sends by itself; each row has a transport of its own from the guard. */
  session: Session
  guard: OutageGuard
  end: EarlyEnd
  /** Calls support operations as this user; those that cannot be reached throw `TargetError` without being called. */
  as(user: string): Caller
  /** The same to put something back, which is sent whatever befell others: in a run that ends, and where nobody was answered. */
  restoreAs(user: string): Caller
  /** Uploads archives as this user. */
  uploadAs(user: string): Uploader
  /** For what is asked before it is known that somebody is there, past the guard, which would remember a missing answer. */
  beforehand: {
    /** Asks as nobody. */
    probe(operation: 'version' | 'readyz'): Promise<Evidence>
    as(user: string): Caller
  }
  redaction: Redaction
  /** Tokens are for the participant of that id. */
  setParticipantId(participantId: string): void
}

/** Milliseconds from the first unanswered exchange on: with the time limit of an exchange, a dead target costs a minute at most. */
const usualPatience = 40_000
/** Milliseconds for the answer whether anybody is there. */
const probeLimit = 5_000

export function startSession(options: RunOptions, told: (outage: Outage) => void): StartedSession {
  const { target, timeLimit, redact, patience = usualPatience, end = new EarlyEnd(), access } = options
  const redaction = new Redaction(redact)
  for (const [secret, label] of knownSecrets(target)) redaction.register(secret, label)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const quick = createTransport(target.url, Math.min(probeLimit, timeLimit), target.connection)
  const unguarded = createTransport(target.url, timeLimit, target.connection)
  const unreachable = access?.unreachable ?? new Set<string>()
  const guard = new OutageGuard(unguarded, {
    ...{
      probe: () => probe('version', quick),
      findDifferentParticipant: () =>
        strangerThan(participantId, within(unreachable, callerAs(findDefaultUser(target), quick, tokens))),
      patience,
      end,
      report: told,
    },
  })
  const setParticipantId = (found: string): void => {
    participantId = found
  }
  const transport = guard.provisioning
  const session: Session = {
    ...{ transport, tokens, keys: new KeyRing(), completions: new CompletionsWatch(transport) },
    lateDelay: lateCheckDelay(options),
  }
  return {
    id: randomBytes(4).toString('hex'),
    ...{ session, guard, end, redaction, setParticipantId },
    as: (user) => within(unreachable, callerAs(user, transport, tokens)),
    restoreAs: (user) => within(unreachable, callerAs(user, transport, tokens, 'restore')),
    beforehand: {
      // What answers at all may take its time; whoever only says that it is ready need not.
      probe: (operation) => probe(operation, operation === 'version' ? unguarded : quick),
      as: (user) => within(unreachable, callerAs(user, unguarded, tokens)),
    },
    uploadAs: (user) => uploaderAs(user, transport, tokens),
  }
}

/** A target that was started anew with nothing of what it held would be blamed for what it cannot know. Undefined where it is the same, or nobody tells. */
async function strangerThan(known: string | undefined, ask: Caller): Promise<string | undefined> {
  if (known === undefined) return undefined
  const told = await ask('participant-id').then(
    (answer) => valueAt(answer, '/participantId'),
    () => undefined,
  )
  if (typeof told !== 'string' || told === known) return undefined
  return `came back as another participant (${excerpt(told, 100)}), which has nothing of what this run had made`
}

/** Nobody need be somebody to be told the version, or that he may not know it. */
function probe(operation: 'version' | 'readyz', transport: Transport): Promise<Evidence> {
  const { method, path } = supportOperations[operation]
  const headers: [string, string][] = [['accept', 'application/json']]
  return transport.send({ method, path, headers, body: undefined }, { step: 0, role: 'arrange' })
}

const within =
  (unreachable: ReadonlySet<string>, call: Caller): Caller =>
  async (name, ...rest) => {
    if (unreachable.has(name)) throw new TargetError(`the settings say that ${name} cannot be reached`)
    return call(name, ...rest)
  }
