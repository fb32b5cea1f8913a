import { isDeepStrictEqual } from 'node:util'
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

type Sent = Pick<ResolvedRow, 'steps' | 'values'>

/** Undefined if the rows send different requests. */
export function compareExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  const compared = row.steps.map((step, index) => compare(step, other.steps[index]))
  const isSameRequest = isDeepStrictEqual(row.values, other.values) && compared.every(({ sent }) => sent)
  if (!isSameRequest || row.steps.length !== other.steps.length) return undefined
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
const cache = new WeakMap<ResolvedStep, WeakMap<ResolvedStep, Comparison>>()

function compare(step: ResolvedStep, other: ResolvedStep | undefined): Comparison {
  if (!other) return { sent: false, expected: false }
  const found = cache.get(step) ?? new WeakMap<ResolvedStep, Comparison>()
  cache.set(step, found)
  const compared = found.get(other) ?? {
    sent: isDeepStrictEqual(sent(step), sent(other)),
    expected: isDeepStrictEqual(expected(step), expected(other)),
  }
  found.set(other, compared)
  return compared
}

const sent = ({ name, role, sentWhen, actor, token, request, capture, race }: ResolvedStep): unknown[] => [
  name,
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
