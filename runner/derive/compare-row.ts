import { isDeepStrictEqual } from 'node:util'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { compareValues, type Difference } from './differences.js'

/** The derived row has the times of the recorded one. */
export function compareRow(row: RunRow, derived: RunRow): Difference[] {
  if (row === derived) return []
  const path = `rows[${row.id}]`
  const [recorded, wanted] = [compared(row), compared(derived)]
  return [
    ...compareValues(path, recorded.members, wanted.members),
    ...compareSteps(`${path}.resolved.steps`, row.resolved.steps, derived.resolved.steps),
    ...compareValues(`${path}.evidence`, recorded.evidence, wanted.evidence),
  ]
}

function compared({ evidence, resolved, ...row }: RunRow) {
  const { steps, ...ofCase } = resolved
  return { members: { ...row, resolved: ofCase }, evidence: evidence.map(withoutTimes) }
}

const withoutTimes = (one: Evidence): Evidence =>
  one.problem?.code === 'not-sent' ? { ...one, startedAt: '', milliseconds: 0 } : one

/** Hundreds of rows have the same probes. */
const equal = new WeakMap<ResolvedStep, ResolvedStep>()

function compareSteps(path: string, recorded: readonly ResolvedStep[], derived: readonly ResolvedStep[]): Difference[] {
  const length = Math.max(recorded.length, derived.length)
  return Array.from({ length }).flatMap((_, index) => {
    const [one, other] = [recorded[index], derived[index]]
    if (!one || !other) return [{ path: `${path}[${index}]`, recorded: one, derived: other }]
    if (equal.get(one) === other) return []
    const found = isDeepStrictEqual(one, other) ? [] : compareValues(`${path}[${index}]`, one, other)
    if (found.length === 0) equal.set(one, other)
    return found
  })
}
