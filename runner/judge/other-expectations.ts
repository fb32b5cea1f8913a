import { isDeepStrictEqual } from 'node:util'
import { cachedBy } from '../../lib/made-once.js'
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

interface Sent {
  values: ResolvedRow['values']
  steps: ResolvedStep[]
}

/** Undefined if the rows send different requests. */
export function compareExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  if (row.steps.length !== other.steps.length || !isDeepStrictEqual(row.values, other.values)) return undefined
  const compared = row.steps.flatMap((step, index) => {
    const counterpart = other.steps[index]
    return counterpart ? [compare(step)(counterpart)] : []
  })
  if (!compared.every(({ sent }) => sent)) return undefined
  const different = other.steps.flatMap(({ expectations, race }, index) =>
    compared[index]?.expected ? [] : [[String(index), { expectations, ...(race && { others: race.others }) }] as const],
  )
  return Object.fromEntries(different)
}

interface Comparison {
  sent: boolean
  expected: boolean
}

/** Hundreds of rows share the steps of probes. */
const compare = cachedBy((step: ResolvedStep) =>
  cachedBy(
    (other: ResolvedStep): Comparison => ({
      sent: isDeepStrictEqual([step.name, ...sentBy(step)], [other.name, ...sentBy(other)]),
      expected: isDeepStrictEqual(expected(step), expected(other)),
    }),
  ),
)

/** What a step sends, whatever its name. */
export const sentBy = ({ role, sentWhen, actor, token, request, capture, race }: ResolvedStep): unknown[] => [
  role,
  sentWhen,
  actor,
  token,
  request,
  capture,
  race?.times,
]

const expected = ({ expectations, race }: ResolvedStep): unknown[] => [expectations, race]

export function withExpectations(row: ResolvedRow, others: OtherExpectations): ResolvedRow {
  const steps = row.steps.map((step, index) => {
    const other = others[index]
    if (!other) return step
    const race = step.race && other.others && { race: { ...step.race, others: other.others } }
    return { ...step, ...race, expectations: other.expectations }
  })
  return { ...row, steps }
}
