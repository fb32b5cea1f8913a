import { randomBytes } from 'node:crypto'
import { Redaction } from '../interface/redaction.js'
import type { Session } from './execute/session.js'
import { createTokens } from './execute/tokens.js'
import { createTransport } from './execute/transport.js'
import { administrator, type Caller, callerAs } from './provision/caller.js'
import type { RunOptions } from './run-options.js'
import { KeyRing } from './sign/key-ring.js'

/** What a run talks with, before it knows anything of its target. */
export interface StartedSession {
  /** Of this run: it is in the names of all that the run makes. */
  id: string
  session: Session
  /** Calls support operations as the administrator. */
  call: Caller
  redaction: Redaction
  /** Tokens are for the participant of that id. */
  learned(participantId: string): void
}

export function startSession({ target, timeLimit, redact }: RunOptions): StartedSession {
  const redaction = new Redaction(redact)
  const transport = createTransport(target.url, timeLimit)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const learned = (found: string): void => {
    participantId = found
  }
  const session: Session = { transport, tokens, keys: new KeyRing() }
  return {
    id: randomBytes(4).toString('hex'),
    session,
    call: callerAs(administrator, transport, tokens),
    redaction,
    learned,
  }
}
