import type { BaseRequest } from '../suite/suite.js'
import { dataOf, type Entry, entriesOf, given, type Located, member, textAt, textOf } from './located.js'
import { type Reading, refer } from './reading.js'
import { usesIn } from './variable-flow.js'

export function readRequest({ name, key, value }: Entry, reading: Reading): BaseRequest {
  const params = member(value, 'params')
  const query = member(value, 'query')
  const body = member(value, 'body')
  reading.requestUses.set(name, [...usesIn(params), ...usesIn(query), ...usesIn(body)])
  return {
    name,
    operation: textAt(value, 'operation'),
    ...given({
      as: refer(reading, 'actor', member(value, 'as')),
      params: params && textsIn(params),
      query: query && textsIn(query),
      body: body && dataOf(body),
      // The schema allows nothing else.
      presignable: member(value, 'presignable') && (true as const),
    }),
    location: key,
  }
}

const textsIn = (node: Located): Record<string, string> =>
  Object.fromEntries(entriesOf(node).map(({ name, value }) => [name, textOf(value)]))
