import type { Evidence } from '../record/record.js'
import type { Role } from '../record/resolved-row.js'

/** What a step is there for, in the words of all reports. */
export const roleWords: Record<Role, string> = {
  arrange: 'arrange',
  'probe-before': 'probe before',
  act: 'request under test',
  'probe-after': 'probe after',
  restore: 'restore',
}

type StepReference = Pick<Evidence, 'step' | 'attempt'>

/** The step's name, with the number of the request where several were sent at once; its index where the row has no such step. */
export function stepName({ steps }: { steps: readonly { name: string }[] }, { step, attempt }: StepReference): string {
  const name = steps[step]?.name ?? `step ${step}`
  return attempt === undefined ? name : `${name}, attempt ${attempt}`
}

/** Whether both are about the same exchange. */
export const isSameExchange = (a: StepReference, b: StepReference): boolean =>
  a.step === b.step && (a.attempt === undefined || b.attempt === undefined || a.attempt === b.attempt)
