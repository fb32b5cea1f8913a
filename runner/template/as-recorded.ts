import { parseJson } from '../../lib/json/json.js'
import type { KeyedGeneration } from './keyed-generation.js'

/** Gives what was made before, in the same order: many signatures are others each time. */
export function replayGenerated(generated: readonly string[]): KeyedGeneration {
  const left = generated.values()
  return () => {
    const next = left.next()
    return next.done ? undefined : parseJson(next.value)
  }
}
