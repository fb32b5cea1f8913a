import { createHash } from 'node:crypto'

export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** Integer from 0 to below `end`. */
  below(end: number): number
  chance(probability: number): boolean
  /** Throws a RangeError for an empty list. */
  pick<T>(items: readonly T[]): T
  weighted<T>(...items: (readonly [weight: number, item: T])[]): T
  some<T>(items: readonly T[], probability: number): T[]
  shuffled<T>(items: readonly T[]): T[]
}

/** The generator sfc32, with a hash of the seed as its state. */
export function randomOf(seed: string): Random {
  const start = createHash('sha256').update(seed).digest()
  let [a, b, c, d] = [start.readInt32LE(0), start.readInt32LE(4), start.readInt32LE(8), 1]
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new RangeError('pick: the list is empty')
    return items[below(items.length)] as T // the index is within the list
  }
  return {
    next,
    below,
    pick,
    chance: (probability) => next() < probability,
    weighted: (...items) => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return pick(items)[1]
    },
    some: (items, probability) => items.filter(() => next() < probability),
    shuffled: (items) => {
      const left = [...items]
      return items.flatMap(() => left.splice(below(left.length), 1))
    },
  }
}
