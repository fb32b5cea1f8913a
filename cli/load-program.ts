/** Loads the bundle of the commands. */
import * as nodeModule from 'node:module'

/** Rejects if the build is missing. */
export async function loadProgram(): Promise<typeof import('./bundle.js')> {
  // Node 22.1 and later cache compiled code. The call never throws: without a cache, the program starts more slowly.
  const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache')
  if (typeof enableCompileCache === 'function') enableCompileCache()
  return import('./bundle.js')
}
