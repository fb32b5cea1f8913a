/** The same row by another profile: what is sent is the same, what is expected is not. */
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/resolved-row.js'

type Sent = Pick<ResolvedRow, 'steps' | 'values'>

/**
 * What another profile expects of the steps, where it expects something else. `row` and `other` are one row of the suite;
 * undefined where they do not send the same, so that evidence of the one says nothing of the other.
 */
export function otherExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  const compared = row.steps.map((step, index) => compare(step, other.steps[index]))
  const isSent = JSON.stringify(row.values) === JSON.stringify(other.values)
  if (!isSent || row.steps.length !== other.steps.length || compared.some(({ sent }) => !sent)) return undefined
  const different = other.steps.flatMap(({ expectations, race }, index) =>
    compared[index]?.expected ? [] : [[String(index), { expectations, ...(race && { others: race.others }) }] as const],
  )
  return Object.fromEntries(different)
}

/** Whether two steps send the same, and expect the same. */
interface Compared {
  sent: boolean
  expected: boolean
}

/** Steps of probes stand in hundreds of rows. */
const known = new WeakMap<ResolvedStep, WeakMap<ResolvedStep, Compared>>()

function compare(step: ResolvedStep, other: ResolvedStep | undefined): Compared {
  if (!other) return { sent: false, expected: false }
  const found = known.get(step) ?? new WeakMap<ResolvedStep, Compared>()
  known.set(step, found)
  const compared = found.get(other) ?? {
    sent: sent(step) === sent(other),
    expected: expected(step) === expected(other),
  }
  found.set(other, compared)
  return compared
}

/** Everything but what is expected of the answer. */
const sent = ({ name, role, sentWhen, actor, token, request, capture, race }: ResolvedStep): string =>
  JSON.stringify([name, role, sentWhen, actor, token, request, capture, race?.times])

const expected = ({ expectations, race }: ResolvedStep): string => JSON.stringify([expectations, race])

export function withExpectations(row: ResolvedRow, otherwise: OtherExpectations): ResolvedRow {
  const steps = row.steps.map((step, index) => {
    const other = otherwise[index]
    if (!other) return step
    const race = step.race && other.others && { race: { ...step.race, others: other.others } }
    return { ...step, ...race, expectations: other.expectations }
  })
  return { ...row, steps }
}
