import type { RunRow } from '../types/record.js'

/** The request under test was sent, but the ledger was not read for its expected effects. */
export function lacksLateCheck({ resolved, evidence, verdict }: RunRow): boolean {
  if (verdict === 'blocked' || verdict === 'error' || evidence.some(({ role }) => role === 'late-check')) return false
  const index = resolved.steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  return evidence.some(({ step, role }) => role === 'act' && step === index)
}
