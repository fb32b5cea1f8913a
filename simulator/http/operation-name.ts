import { operations, supportOperations } from '../../interface/operations.js'
import type { Endpoint } from './endpoint.js'

/** For example `GET /v2/parties/{party}`. */
export const methodAndPath = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${pathOf({ path })}`

export const pathOf = ({ path }: Pick<Endpoint, 'path'>): string => path.replace(/:(\w+)/g, '{$1}')

const named = new Map(
  Object.values({ ...operations, ...supportOperations }).map(({ name, method, path }) => [
    shape(`${method} ${path}`),
    name,
  ]),
)

export const operationName = (endpoint: Endpoint): string =>
  named.get(shape(methodAndPath(endpoint))) ?? methodAndPath(endpoint)

/** Ignores names of parameters. */
function shape(text: string): string {
  return text.replace(/\{\w+\}/g, '{}')
}
