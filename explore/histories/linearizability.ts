/** The search of Wing and Gong (1993) for a sequential order, with the pruning of Lowe (2017). */

export interface Call<Input, Output> {
  client: number
  input: Input
  output: Output
  /** Milliseconds, as is `answered`. */
  sent: number
  /** Infinity without an answer: it may take effect later, or never. */
  answered: number
}

export interface SequentialSpecification<State, Input, Output> {
  initial: State
  /** Possible states; empty if the output is impossible. */
  apply(state: State, input: Input, output: Output): readonly State[]
  /** Equal for equivalent states. */
  keyOf(state: State): string
}

export interface Linearization {
  isLinearizable: boolean
  longest: readonly number[]
}

interface Entry {
  index: number
  isReturn: boolean
  time: number
}

/**
 * Whether some order of the calls explains all outputs. `longest`: the calls of the longest order that does.
 * @example const { isLinearizable } = linearize(calls, specification) // false after a stale read
 */
export function linearize<State, Input, Output>(
  history: readonly Call<Input, Output>[],
  specification: SequentialSpecification<State, Input, Output>,
): Linearization {
  const entries = history
    .flatMap(({ sent, answered }, index): Entry[] => [
      { index, isReturn: false, time: sent },
      { index, isReturn: true, time: answered },
    ])
    // A call sent at another's answer overlaps it.
    .sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn))
  const taken = new Set<number>()
  const order: number[] = []
  const tried = new Set<string>()
  let longest: readonly number[] = []

  const search = (state: State): boolean => {
    if (order.length > longest.length) longest = [...order]
    const remaining = entries.filter(({ index }) => !taken.has(index))
    for (const { index, isReturn, time } of remaining) {
      // All remaining calls were sent after this answer.
      if (isReturn) return time === Number.POSITIVE_INFINITY
      const call = history[index]
      if (!call) continue
      for (const next of specification.apply(state, call.input, call.output)) {
        taken.add(index)
        const key = `${[...taken].sort((a, b) => a - b).join()} ${specification.keyOf(next)}`
        if (!tried.has(key)) {
          tried.add(key)
          order.push(index)
          if (search(next)) return true
          order.pop()
        }
        taken.delete(index)
      }
    }
    return true
  }
  const isLinearizable = search(specification.initial)
  return { isLinearizable, longest: isLinearizable ? [...order] : longest }
}
