import type { Slices } from '../../../simulator/base/slices.js'

export function runSlices<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
