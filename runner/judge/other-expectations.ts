import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

type Sent = Pick<ResolvedRow, 'steps' | 'values'>

/** Undefined if the rows send different requests. */
export function compareExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  const compared = row.steps.map((step, index) => compare(step, other.steps[index]))
  const isSameRequest = isSame(row.values, other.values) && compared.every(({ sent }) => sent)
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
    sent: isSame(sent(step), sent(other)),
    expected: isSame(expected(step), expected(other)),
  }
  found.set(other, compared)
  return compared
}

const sent = ({ name, role, sentWhen, actor, token, request, capture, race }: ResolvedStep): unknown[] => [
  ...[name, role, sentWhen, actor, token, request, capture, race?.times],
]

const expected = ({ expectations, race }: ResolvedStep): unknown[] => [expectations, race]

/** Undefined members count as absent. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const names = namesIn(one)
  return names.length === namesIn(other).length && names.every((name) => isSame(one[name], other[name]))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const namesIn = (value: Record<string, unknown>): string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined)

export function withExpectations(row: ResolvedRow, otherwise: OtherExpectations): ResolvedRow {
  const steps = row.steps.map((step, index) => {
    const other = otherwise[index]
    if (!other) return step
    const race = step.race && other.others && { race: { ...step.race, others: other.others } }
    return { ...step, ...race, expectations: other.expectations }
  })
  return { ...row, steps }
}
