/** The same row by another profile: what is sent is the same, what is expected is not. */
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'

type Sent = Pick<ResolvedRow, 'steps' | 'values'>

/**
 * What another profile expects of the steps, where it expects something else. `row` and `other` are one row of the suite;
 * undefined where they do not send the same, so that evidence of the one says nothing of the other.
 */
export function compareExpectations(row: Sent, other: Sent): OtherExpectations | undefined {
  const compared = row.steps.map((step, index) => compare(step, other.steps[index]))
  const isSent = isSame(row.values, other.values)
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
    sent: isSame(sent(step), sent(other)),
    expected: isSame(expected(step), expected(other)),
  }
  found.set(other, compared)
  return compared
}

/** Everything but what is expected of the answer. */
const sent = ({ name, role, sentWhen, actor, token, request, capture, race }: ResolvedStep): unknown[] => [
  ...[name, role, sentWhen, actor, token, request, capture, race?.times],
]

const expected = ({ expectations, race }: ResolvedStep): unknown[] => [expectations, race]

/** Whether both are the same plain data. What is undefined is not there. */
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
