/** A request that the target never received all of, and did not answer, had no effect: it is sent once more. */
import type { Evidence } from '../../record/types/record.js'

/** `send` opens a connection each time. The evidence of a second attempt keeps the first one as `earlier`. */
export async function resendIfPartlySent(send: () => Promise<Evidence>): Promise<Evidence> {
  const first = await send()
  if (!first.problem?.partlySent) return first
  const { problem, startedAt, milliseconds } = first
  return { ...(await send()), earlier: { message: problem.message, startedAt, milliseconds } }
}
