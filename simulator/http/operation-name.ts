import { operations, supportOperations } from '../../interface/operations.js'
import type { Endpoint } from './endpoint.js'

/** Method and path with its parameters in braces: `GET /v2/parties/{party}`. */
export const methodAndPath = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${pathOf({ path })}`

/** The path with its parameters in braces. */
export const pathOf = ({ path }: Pick<Endpoint, 'path'>): string => path.replace(/:(\w+)/g, '{$1}')

const named = new Map(
  Object.values({ ...operations, ...supportOperations }).map(({ name, method, path }) => [
    shape(`${method} ${path}`),
    name,
  ]),
)

/** What people call the operation: its name where the interface description has one, else its method and path. */
export const operationName = (endpoint: Endpoint): string =>
  named.get(shape(methodAndPath(endpoint))) ?? methodAndPath(endpoint)

/** Parameters may be called otherwise in two descriptions of one path. */
function shape(text: string): string {
  return text.replace(/\{\w+\}/g, '{}')
}
