/** A request that the target received only in part, without an answer, had no effect: it is sent again once. */
import type { Evidence } from '../../record/types/record.js'

/** `send` opens a connection each time. Evidence of a second attempt contains the first one as `earlier`. */
export async function resendIfPartlySent(send: () => Promise<Evidence>): Promise<Evidence> {
  const first = await send()
  if (!first.problem?.partlySent) return first
  const { problem, startedAt, milliseconds } = first
  return { ...(await send()), earlier: { message: problem.message, startedAt, milliseconds } }
}
