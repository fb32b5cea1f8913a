/** The same row by another profile: what is sent is the same, what is expected is not. */
import type { OtherExpectations, ResolvedRow } from '../../record/resolved-row.js'

/** What another profile expects of the steps, where it expects something else. `row` and `other` are one row of the suite. */
export function otherExpectations(row: ResolvedRow, other: ResolvedRow): OtherExpectations {
  const different = row.steps.flatMap((step, index) => {
    const { expectations, race } = other.steps[index] ?? step
    const same = JSON.stringify([expectations, race]) === JSON.stringify([step.expectations, step.race])
    return same ? [] : [[String(index), { expectations, ...(race && { others: race.others }) }] as const]
  })
  return Object.fromEntries(different)
}

export function withExpectations(row: ResolvedRow, otherwise: OtherExpectations): ResolvedRow {
  const steps = row.steps.map((step, index) => {
    const other = otherwise[index]
    if (!other) return step
    const race = step.race && other.others && { race: { ...step.race, others: other.others } }
    return { ...step, ...race, expectations: other.expectations }
  })
  return { ...row, steps }
}
