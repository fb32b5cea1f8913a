import type { CheckedFact, Reason } from '../../record/types/reason.js'
import { faultOf } from './fault.js'

/** Members that differ between rows or runs with the same cause, or only name the place where it shows. */
const particular: ReadonlySet<string> = new Set([
  'step',
  'message',
  'answer',
  'found',
  'from',
  'to',
  'update',
  'contract',
  'offset',
  'stated',
  'shown',
  'row',
  'rows',
  'key',
  'more',
  'basis',
  'variable',
  'source',
  'participant',
])

/** Equal for reasons with the same cause: the code and the names of the reason and of its own cause. */
export function reasonKey(reason: Reason): string {
  return JSON.stringify(reason, (member, value: unknown) => {
    if (particular.has(member)) return undefined
    if (member === 'unmet') return faultOf(value as CheckedFact).sentence // by the type of reasons
    // The operation of the cause matters, not the fixture that needs it.
    return member === 'fixture' && 'because' in reason ? undefined : value
  })
}
