import { camelCased } from '../../lib/camel-case.js'
import type { Shapes } from '../suite/shapes.js'
import type { ResponsePattern } from '../suite/suite.js'

export function patternOf(shape: Partial<Shapes['named-pattern']>): ResponsePattern {
  const { name, status, ...pattern } = camelCased(shape)
  return { ...pattern, ...(status !== undefined && { status: statusesIn(status) }) }
}

/** `400`, `4xx` or a list of them. */
export const statusesIn = (status: Shapes['status']): string[] => [status].flat().map(String)
