import { Redaction } from '../../lib/redaction/redaction.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import { createTokens } from '../execute/tokens.js'
import { findDefaultUser } from '../provision/assign-users.js'
import { callerAs } from '../provision/caller.js'
import { type Target, TargetRejection } from '../target/target.js'
import { stringAt } from '../template/pointer.js'
import { createTransport } from '../transport/transport.js'

interface WantedToken {
  user: string
  /** A token of the suite, such as an expired one; default: the usual token. */
  form?: TokenTemplate | undefined
  /** Milliseconds for the request of the participant id. */
  timeLimit: number
  /** The audience of tokens names the participant; without its id, tokens have the ledger scope. */
  readsParticipantId: boolean
}

/**
 * As a run sends it, without the scheme. Undefined if the target has no authorization. Rejects with `CredentialError`,
 * `VariableError` and `TargetError`.
 */
export async function actorToken(
  target: Target,
  { user, form, timeLimit, readsParticipantId }: WantedToken,
): Promise<string | undefined> {
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, new Redaction([]))
  if (readsParticipantId && target.authorization.kind === 'minted') {
    const call = callerAs(findDefaultUser(target), createTransport(target.url, timeLimit, target.connection), tokens)
    participantId = await call('participant-id').then((answer) => stringAt(answer, '/participantId'), ifPermitted)
  }
  const variables = new Map([
    ...(participantId === undefined ? [] : ([['participantId', participantId]] as const)),
    // The suite names an unknown user by the run.
    ['run', 'token'] as const,
  ])
  const header = await tokens.header(user, form, variables)
  return header?.replace(/^\S+ +/, '')
}

/** As a run, which continues without the participant id. */
function ifPermitted(error: unknown): undefined {
  if (error instanceof TargetRejection && error.status === 403) return undefined
  throw error
}
