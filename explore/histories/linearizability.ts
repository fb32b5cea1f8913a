/**
 * Whether what several clients were told at once can have happened one after the other: the search of Wing and Gong (1993) with the
 * pruning of Lowe (2017), which tries no state twice for one set of operations that have happened.
 */

/** One call, from when it was sent until its answer was there. */
export interface Call<Input, Output> {
  client: number
  input: Input
  output: Output
  /** In milliseconds. */
  sent: number
  /** Infinity: no answer came, so that it may have happened at any time, or not at all. */
  answered: number
}

/** What happens one after the other. */
export interface SequentialModel<State, Input, Output> {
  initial: State
  /** The states in which it can be after the call, if it answers that; none: it cannot answer that. */
  step(state: State, input: Input, output: Output): readonly State[]
  /** The same text for states that make no difference. */
  keyOf(state: State): string
}

export interface Linearization {
  isPossible: boolean
  /** The longest sequence that could have happened, as indices into the history; the whole one where it is possible. */
  longest: readonly number[]
}

interface Entry {
  index: number
  isReturn: boolean
  time: number
}

export function linearize<State, Input, Output>(
  history: readonly Call<Input, Output>[],
  model: SequentialModel<State, Input, Output>,
): Linearization {
  const entries = history
    .flatMap(({ sent, answered }, index): Entry[] => [
      { index, isReturn: false, time: sent },
      { index, isReturn: true, time: answered },
    ])
    // What was sent when another call was answered may have come before or after it: the two overlap.
    .sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn))
  const taken = new Set<number>()
  const order: number[] = []
  const tried = new Set<string>()
  let longest: readonly number[] = []

  const search = (state: State): boolean => {
    if (order.length > longest.length) longest = [...order]
    const left = entries.filter(({ index }) => !taken.has(index))
    for (const { index, isReturn, time } of left) {
      // Whatever was sent later comes after the call whose answer this is.
      if (isReturn) return time === Number.POSITIVE_INFINITY
      const call = history[index]
      if (!call) continue
      for (const next of model.step(state, call.input, call.output)) {
        taken.add(index)
        const key = `${[...taken].sort((a, b) => a - b).join()} ${model.keyOf(next)}`
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
  const isPossible = search(model.initial)
  return { isPossible, longest: isPossible ? [...order] : longest }
}
