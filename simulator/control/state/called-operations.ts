import type { Endpoint } from '../../http/endpoint.js'
import { methodAndPath, operationName, pathOf } from '../../http/operation-name.js'
import { unknownName } from './control-error.js'

/** By name, method and path, or path alone. Throws `ControlError`. */
export function calledOperations(text: string, endpoints: readonly Endpoint[]): ReadonlySet<Endpoint> {
  const called = endpoints.filter((endpoint) => spellings(endpoint).includes(text))
  if (called.length === 0) {
    throw unknownName('UNKNOWN_OPERATION', 'operation', text, new Set(endpoints.flatMap(spellings)))
  }
  return new Set(called)
}

const spellings = (endpoint: Endpoint): string[] => [operationName(endpoint), pathOf(endpoint), methodAndPath(endpoint)]
