/** The commands as the build has bundled them. */
import * as nodeModule from 'node:module'

/** Rejects if the build is missing. */
export async function loadProgram(): Promise<typeof import('./bundle.js')> {
  // Node 22.1 and later keep compiled code, and check that it fits. Node returns a problem and does not throw: the program starts all the same.
  const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache')
  if (typeof enableCompileCache === 'function') enableCompileCache()
  return import('./bundle.js')
}
