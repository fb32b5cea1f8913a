import { createContext, Script } from 'node:vm'

/** Milliseconds; about a thousand times as long as usual. Quadratic work on the same input takes many minutes. */
const limit = 60_000

/** Interrupts synchronous work whose time grows faster than its input. Throws `ERR_SCRIPT_EXECUTION_TIMEOUT`. */
export function endedWork(work: () => void): void {
  new Script('work()').runInContext(createContext({ work }), { timeout: limit })
}
