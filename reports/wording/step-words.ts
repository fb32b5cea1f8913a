import type { Evidence, ExchangeRole } from '../../record/types/record.js'

/** What a step is there for, in the words of all reports. */
export const roleWords: Record<ExchangeRole, string> = {
  arrange: 'arrange',
  'probe-before': 'probe before',
  act: 'request under test',
  'probe-after': 'probe after',
  restore: 'restore',
  'late-look': 'late look',
}

type StepReference = Pick<Evidence, 'step' | 'role' | 'attempt'>

/** The step's name, with the number of the request where several were sent at once, or that it is the late look for it; its index where the row has no such step. */
export function stepName(
  { steps }: { steps: readonly { name: string }[] },
  { step, role, attempt }: StepReference,
): string {
  const name = steps[step]?.name ?? `step ${step}`
  if (role === 'late-look') return `${name}, late look`
  return attempt === undefined ? name : `${name}, attempt ${attempt}`
}

/** Whether both are about the same exchange. */
export const isSameExchange = (a: StepReference, b: StepReference): boolean =>
  a.step === b.step &&
  a.role === b.role &&
  (a.attempt === undefined || b.attempt === undefined || a.attempt === b.attempt)
