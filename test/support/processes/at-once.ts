import type { Slices } from '../../../simulator/base/slices.js'

/** Does all of it at once. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
