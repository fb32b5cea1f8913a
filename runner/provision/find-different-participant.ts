import { excerpt } from '../../lib/json/json.js'
import { stringAt } from '../template/pointer.js'
import type { Caller } from './caller.js'

/** Undefined: the same participant, or unknown. The description follows "the target". */
export async function findDifferentParticipant(known: string | undefined, call: Caller): Promise<string | undefined> {
  if (known === undefined) return undefined
  const found = await call('participant-id').then(
    (answer) => stringAt(answer, '/participantId'),
    () => undefined,
  )
  if (found === undefined || found === known) return undefined
  return `answered again as a different participant (${excerpt(found, 100)}) without its earlier state`
}
