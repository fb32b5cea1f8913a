/** The same row by another profile: what is sent is the same, what is expected is not. */
import type { OtherExpectations, ResolvedRow } from '../../record/resolved-row.js'

type Sent = Pick<ResolvedRow, 'steps' | 'values'>

/**
 * What another profile expects of the steps, where it expects something else. `row` and `other` are one row of the suite;
 * undefined where they do not send the same, so that evidence of the one says nothing of the other.
 */
export function otherExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  if (sent(row) !== sent(other)) return undefined
  const different = row.steps.flatMap((step, index) => {
    const { expectations, race } = other.steps[index] ?? step
    const same = JSON.stringify([expectations, race]) === JSON.stringify([step.expectations, step.race])
    return same ? [] : [[String(index), { expectations, ...(race && { others: race.others }) }] as const]
  })
  return Object.fromEntries(different)
}

/** Everything of a row but what is expected of its answers. */
const sent = ({ steps, values }: Sent): string =>
  JSON.stringify([
    values,
    steps.map(({ name, role, sentWhen, actor, token, request, capture, race }) => [
      ...[name, role, sentWhen, actor, token, request, capture, race?.times],
    ]),
  ])

export function withExpectations(row: ResolvedRow, otherwise: OtherExpectations): ResolvedRow {
  const steps = row.steps.map((step, index) => {
    const other = otherwise[index]
    if (!other) return step
    const race = step.race && other.others && { race: { ...step.race, others: other.others } }
    return { ...step, ...race, expectations: other.expectations }
  })
  return { ...row, steps }
}
