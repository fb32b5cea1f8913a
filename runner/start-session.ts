import { randomBytes } from 'node:crypto'
import { Redaction } from '../interface/redaction.js'
import type { Session } from './execute/session.js'
import { createTokens } from './execute/tokens.js'
import { createTransport } from './execute/transport.js'
import { type Caller, callerAs, type Uploader, uploaderAs } from './provision/caller.js'
import type { RunOptions } from './run-options.js'
import { KeyRing } from './sign/key-ring.js'
import { TargetError } from './target/target.js'

/** What a run talks with, before it knows anything of its target. */
export interface StartedSession {
  /** Of this run: it is in the names of all that the run makes. */
  id: string
  session: Session
  /** Calls support operations as this user; those that cannot be reached throw `TargetError` without being called. */
  as(user: string): Caller
  /** Uploads archives as this user. */
  uploader(user: string): Uploader
  redaction: Redaction
  /** Tokens are for the participant of that id. */
  learned(participantId: string): void
}

export function startSession({ target, timeLimit, redact, access }: RunOptions): StartedSession {
  const redaction = new Redaction(redact)
  const transport = createTransport(target.url, timeLimit, target.connection)
  for (const [name, value] of target.connection.headers) redaction.register(value, `header ${name}`)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const learned = (found: string): void => {
    participantId = found
  }
  const session: Session = { transport, tokens, keys: new KeyRing() }
  return {
    id: randomBytes(4).toString('hex'),
    session,
    as: (user) => within(access?.unreachable ?? new Set(), callerAs(user, transport, tokens)),
    uploader: (user) => uploaderAs(user, transport, tokens),
    redaction,
    learned,
  }
}

const within =
  (unreachable: ReadonlySet<string>, call: Caller): Caller =>
  async (name, ...rest) => {
    if (unreachable.has(name)) throw new TargetError(`the settings say that ${name} cannot be reached`)
    return call(name, ...rest)
  }
