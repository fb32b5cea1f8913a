import { setFlagsFromString } from 'node:v8'

/** What a function does, in V8's own measure, before V8 thinks of optimizing it; usually 67,584. */
const budget = 400_000

/**
 * From now on V8 optimizes what this process does later: on threads of its own, which take the processor from those who work, and what is over in
 * seconds hardly calls what they made. Once the program is loaded: V8 takes none that was kept under other flags (decision 0037).
 */
export const optimizeLate = (): void => setFlagsFromString(`--interrupt-budget=${budget}`)
