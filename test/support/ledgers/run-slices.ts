/** Runs all slices of a task without pauses between them. */
import type { Slices } from '../../../simulator/base/slices.js'

export function runSlices<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
