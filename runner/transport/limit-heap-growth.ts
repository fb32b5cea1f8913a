/** Less memory for runs with long answers. */
import { setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow before a garbage collection. By default V8 lets it grow fourfold. */
const growth = 50
/** Node versions that know the flag (`npm run test:nodes`). Other versions would print a warning. */
const versions: readonly string[] = ['20', '22', '24', '26']
let isLimited = false

/** Costs a usual run a tenth of its time. Without it, the strings of long answers occupy hundreds of megabytes. */
export function limitHeapGrowth(): void {
  if (isLimited) return
  isLimited = true
  if (versions.includes(process.versions.node.split('.')[0] ?? ''))
    setFlagsFromString(`--heap-growing-percent=${growth}`)
}
