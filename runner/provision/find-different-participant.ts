import { excerpt } from '../../lib/json/json.js'
import { stringAt } from '../template/pointer.js'
import type { Caller } from './caller.js'

/** The id (an excerpt) of another participant. Undefined: the same one, or unknown. */
export async function findDifferentParticipant(known: string | undefined, call: Caller): Promise<string | undefined> {
  if (known === undefined) return undefined
  const found = await call('participant-id').then(
    (answer) => stringAt(answer, '/participantId'),
    () => undefined,
  )
  if (found === undefined || found === known) return undefined
  return excerpt(found, 100)
}
