import type { BaseRequest } from '../suite.js'
import { dataOf, type Entry, entriesOf, given, member, textAt, textOf } from './located.js'
import { type Reading, refer } from './reading.js'
import { usesIn } from './sequence.js'

export function readRequest({ name, key, value }: Entry, reading: Reading): BaseRequest {
  const params = member(value, 'params')
  const body = member(value, 'body')
  reading.requestUses.set(name, [...usesIn(params), ...usesIn(body)])
  return {
    name,
    operation: textAt(value, 'operation'),
    ...given({
      as: refer(reading, 'actor', member(value, 'as')),
      params: params && Object.fromEntries(entriesOf(params).map((param) => [param.name, textOf(param.value)])),
      body: body && dataOf(body),
      // The schema allows nothing else.
      mayBeGiven: member(value, 'may-be-given') && (true as const),
    }),
    place: key,
  }
}
