/** Draws values from a seed with the arbitraries of fast-check. */
import { createHash } from 'node:crypto'
import { type Arbitrary, constant, gen, nat, oneof, record, sample } from 'fast-check'

export type Draw = <T>(arbitrary: Arbitrary<T>) => T

/**
 * Equal seeds draw equal values.
 * @example drawFrom('7')(integer({ max: 9 })) === drawFrom('7')(integer({ max: 9 })) // true
 */
export function drawFrom(seed: string): Draw {
  const number = createHash('sha256').update(seed).digest().readInt32LE(0)
  // The options override the global ones of fast-check.
  const [draw] = sample(gen(), { seed: number, numRuns: 1, unbiased: true })
  if (!draw) throw new Error('fast-check: a sample of one value is empty')
  return (arbitrary) => draw(() => arbitrary)
}

/** Weights are rounded to tenths. */
export const weighted = <T>(...choices: readonly [weight: number, value: T][]): Arbitrary<T> =>
  oneof(...choices.map(([weight, value]) => ({ weight: Math.round(weight * 10), arbitrary: constant(value) })))

/** Percent. */
export const chance = (percent: number): Arbitrary<boolean> => nat(999).map((number) => number < percent * 10)

interface OptionalMember<T> {
  /** Probability of the member. */
  percent: number
  value: Arbitrary<T>
}

/** An object with some of the members. */
export const someMembers = <T>(members: Readonly<Record<string, OptionalMember<T>>>): Arbitrary<Record<string, T>> =>
  record(
    Object.fromEntries(
      Object.entries(members).map(([name, { percent, value }]) => [
        name,
        oneof({ weight: percent, arbitrary: value }, { weight: 100 - percent, arbitrary: constant(undefined) }),
      ]),
    ),
  ).map((made) => Object.fromEntries(Object.entries(made).flatMap(([name, value]) => present(name, value))))

const present = <T>(name: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[name, value]])
