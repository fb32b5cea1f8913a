import { setFlagsFromString } from 'node:v8'

/** By how much the heap may grow, in percent of what is in use, before what is not is looked for. Left to itself V8 lets it grow fourfold. */
const growth = 50
/** Lines of Node that know the flag (`npm run test:nodes`): any other would print a complaint about it. */
const lines: readonly string[] = ['20', '22', '24', '26']
let isSparing = false

/**
 * From now on this process keeps less that nobody needs any more. It costs a tenth of the time of an ordinary run, so that only a target
 * with long answers brings it about: each of them is a few texts that are gone a moment later, and V8 would let hundreds of megabytes of them lie.
 */
export function limitHeapGrowth(): void {
  if (isSparing) return
  isSparing = true
  if (lines.includes(process.versions.node.split('.')[0] ?? '')) setFlagsFromString(`--heap-growing-percent=${growth}`)
}
