import * as nodeModule from 'node:module'

/** The commands. */
export async function loadProgram(): Promise<typeof import('./bundle.js')> {
  cacheCode()
  return import('./bundle.js')
}

/** The embedded simulator, without the commands. */
export async function loadSimulator(): Promise<typeof import('./simulator-bundle.js')> {
  cacheCode()
  return import('./simulator-bundle.js')
}

/** Node 22.1 and later cache compiled code; without a cache, the program starts more slowly. */
function cacheCode(): void {
  const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache')
  if (typeof enableCompileCache === 'function') enableCompileCache()
}
