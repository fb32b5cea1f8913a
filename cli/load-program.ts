import * as nodeModule from 'node:module'

export async function loadProgram(): Promise<typeof import('./bundle.js')> {
  // Node 22.1 and later cache compiled code; without a cache, the program starts more slowly.
  const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache')
  if (typeof enableCompileCache === 'function') enableCompileCache()
  return import('./bundle.js')
}
