import type { Evidence, ExchangeRole } from '../../record/types/record.js'

export const roleWords: Record<ExchangeRole, string> = {
  arrange: 'arrange',
  'probe-before': 'probe before',
  act: 'request under test',
  'probe-after': 'probe after',
  restore: 'restore',
  'late-check': 'late-effects check',
}

type StepReference = Pick<Evidence, 'step' | 'role' | 'attempt'>

/** The name with the number of a concurrent request; the index of an unknown step. */
export function stepName(
  { steps }: { steps: readonly { name: string }[] },
  { step, role, attempt }: StepReference,
): string {
  const name = steps[step]?.name ?? `step ${step}`
  if (role === 'late-check') return `${name}, late-effects check`
  return attempt === undefined ? name : `${name}, attempt ${attempt}`
}

export const isSameExchange = (a: StepReference, b: StepReference): boolean =>
  a.step === b.step &&
  a.role === b.role &&
  (a.attempt === undefined || b.attempt === undefined || a.attempt === b.attempt)
