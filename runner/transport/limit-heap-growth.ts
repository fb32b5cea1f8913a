/** Less memory for runs with long answers. */
import { setFlagsFromString } from 'node:v8'

/** Growth of the heap before a garbage collection, in percent of the used memory. The default of V8 is about 300. */
const growth = 50
/** Node versions that know the flag (`npm run test:nodes`). Other versions would print a warning. */
const versions: readonly string[] = ['20', '22', '24', '26']
let isLimited = false

/**
 * Makes V8 collect garbage earlier in this process. This costs a usual run a tenth of its time, so only long answers cause it: their
 * short-lived strings would occupy hundreds of megabytes.
 */
export function limitHeapGrowth(): void {
  if (isLimited) return
  isLimited = true
  if (versions.includes(process.versions.node.split('.')[0] ?? ''))
    setFlagsFromString(`--heap-growing-percent=${growth}`)
}
