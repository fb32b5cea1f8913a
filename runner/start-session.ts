import { randomBytes } from 'node:crypto'
import { supportOperations } from '../interface/operations.js'
import { Redaction } from '../interface/redaction.js'
import type { Evidence } from '../record/record.js'
import { EarlyEnd } from './execute/early-end.js'
import { type Outage, OutageGuard } from './execute/outage-guard.js'
import type { Session } from './execute/session.js'
import { createTokens } from './execute/tokens.js'
import { createTransport, type Transport } from './execute/transport.js'
import { administrator, type Caller, callerAs } from './provision/caller.js'
import type { RunOptions } from './run-options.js'
import { KeyRing } from './sign/key-ring.js'

/** What a run talks with, before it knows anything of its target. */
export interface StartedSession {
  /** Of this run: it is in the names of all that the run makes. */
  id: string
  /** For what the run sends by itself; each row has a transport of its own from the guard. */
  session: Session
  guard: OutageGuard
  end: EarlyEnd
  /** Calls support operations as the administrator. */
  call: Caller
  redaction: Redaction
  /** Tokens are for the participant of that id. */
  learned(participantId: string): void
}

/** Milliseconds from the first unanswered exchange on: with the time limit of an exchange, a dead target costs a minute at most. */
const usualPatience = 40_000
/** Milliseconds for the answer whether anybody is there. */
const probeLimit = 5_000

export function startSession(options: RunOptions, told: (outage: Outage) => void): StartedSession {
  const { target, timeLimit, redact, patience = usualPatience, end = new EarlyEnd() } = options
  const redaction = new Redaction(redact)
  const probe = versionProbe(createTransport(target.url, Math.min(probeLimit, timeLimit)))
  const guard = new OutageGuard(createTransport(target.url, timeLimit), { probe, patience, end, told })
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const learned = (found: string): void => {
    participantId = found
  }
  const transport = guard.provisioning
  const session: Session = { transport, tokens, keys: new KeyRing() }
  const call = callerAs(administrator, transport, tokens)
  return { id: randomBytes(4).toString('hex'), session, guard, end, call, redaction, learned }
}

/** Nobody need be somebody to be told the version, or that he may not know it. */
function versionProbe(transport: Transport): () => Promise<Evidence> {
  const { method, path } = supportOperations.version
  const request = {
    method,
    path,
    headers: [['accept', 'application/json']] satisfies [string, string][],
    body: undefined,
  }
  return () => transport.send(request, { step: 0, role: 'arrange' })
}
