import { randomBytes } from 'node:crypto'
import { isOperationName, type OperationName, operations, supportOperations } from '../../interface/operations.js'
import { printJson } from '../../lib/json/json.js'
import { Redaction } from '../../lib/redaction/redaction.js'
import type { Evidence, RecordedOutage } from '../../record/types/record.js'
import { CompletionsWatch } from '../execute/completions-watch.js'
import type { Session } from '../execute/perform-step.js'
import { createTokens } from '../execute/tokens.js'
import { harmless } from '../provision/absent-operations.js'
import { findDefaultUser } from '../provision/assign-users.js'
import { type Caller, callerAs, type Uploader, uploaderAs } from '../provision/caller.js'
import { findDifferentParticipant } from '../provision/discover.js'
import { KeyRing } from '../sign/signing-key.js'
import { publicTextsOf, registerSecrets, TargetError } from '../target/target.js'
import { EarlyEnd } from '../transport/early-end.js'
import { ExchangeLog } from '../transport/exchange-log.js'
import { OutageGuard } from '../transport/outage-guard.js'
import { createTransport, type Transport } from '../transport/transport.js'
import { lateCheckDelay, type RunOptions } from './run-options.js'

/** What prepares the rows and reads the ledger after them; from a record, it sends nothing. */
export interface ProvisioningSession {
  /** Part of all names that the run creates. */
  id: string
  session: Session
  /** Of `session` outside the rows, of `as` and of `uploadAs`. */
  log: ExchangeLog
  end: EarlyEnd
  /** Unreachable operations throw `TargetError` without a request. */
  as(user: string): Caller
  /** Also sends during an outage, or when the run ends. */
  restoreAs(user: string): Caller
  uploadAs(user: string): Uploader
  redaction: Redaction
  setParticipantId(participantId: string): void
}

export interface StartedSession extends ProvisioningSession {
  /** Before the first exchange: a slow target may need seconds for the next ones. */
  startedAt: string
  guard: OutageGuard
  /** Without the outage guard: a missing answer is no outage yet. */
  beforehand: {
    /** Without a token. Operations under test receive a harmless body. */
    probe(operation: Probed): Promise<Evidence>
    as(user: string): Caller
  }
}

/** Milliseconds from the first unanswered exchange. */
const usualPatience = 40_000
/** Milliseconds. */
const probeLimit = 5_000

export function startSession(options: RunOptions, notify: (outage: RecordedOutage) => void): StartedSession {
  const { target, timeLimit, redact, patience = usualPatience, end = new EarlyEnd(), access } = options
  const redaction = new Redaction(redact, publicTextsOf(options.suite))
  registerSecrets(target, redaction)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const quick = createTransport(target.url, Math.min(probeLimit, timeLimit), target.connection)
  const unguarded = createTransport(target.url, timeLimit, target.connection)
  const { unreachable } = access
  const guard = new OutageGuard(unguarded, {
    probe: () => probe('version', quick),
    findDifferentParticipant: () =>
      findDifferentParticipant(participantId, within(unreachable, callerAs(findDefaultUser(target), quick, tokens))),
    errorCodes: new Set([...options.suite.profiles.values()].flatMap(({ codes }) => [...codes.keys()])),
    patience,
    end,
    report: notify,
  })
  const setParticipantId = (found: string): void => {
    participantId = found
  }
  const log = new ExchangeLog()
  const transport = log.watch(guard.provisioning)
  const session: Session = {
    transport,
    tokens,
    keys: new KeyRing(log.draw),
    completions: new CompletionsWatch(guard.provisioning),
    lateDelay: lateCheckDelay(options),
  }
  return {
    id: randomBytes(4).toString('hex'),
    startedAt: new Date().toISOString(),
    session,
    log,
    guard,
    end,
    redaction,
    setParticipantId,
    as: (user) => within(unreachable, callerAs(user, transport, tokens)),
    restoreAs: (user) => within(unreachable, callerAs(user, guard.provisioning, tokens, 'restore')),
    beforehand: {
      // A slow target may need the full time limit for its first answer.
      probe: (operation) => probe(operation, operation === 'version' ? unguarded : quick),
      as: (user) => within(unreachable, callerAs(user, unguarded, tokens)),
    },
    uploadAs: (user) => uploaderAs(user, transport, tokens),
  }
}

type Probed = 'version' | 'readyz' | OperationName

function probe(operation: Probed, transport: Transport): Promise<Evidence> {
  const { method, path } = { ...operations, ...supportOperations }[operation]
  const body = isOperationName(operation) ? Buffer.from(printJson(harmless[operation])) : undefined
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ...(body ? ([['content-type', 'application/json']] satisfies [string, string][]) : []),
  ]
  return transport.send({ method, path, headers, body }, { step: 0, role: 'arrange' })
}

export const within =
  (unreachable: ReadonlySet<string>, call: Caller): Caller =>
  async (name, ...rest) => {
    if (unreachable.has(name)) throw new TargetError(`the settings mark ${name} as unreachable`)
    return call(name, ...rest)
  }
