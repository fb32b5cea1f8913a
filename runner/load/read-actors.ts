import type { Data } from '../../record/resolved-row.js'
import type { Actor, RightName, TokenVariant } from '../suite/suite.js'
import {
  dataOf,
  type Entry,
  entriesOf,
  given,
  itemsOf,
  type Located,
  member,
  optionalText,
  textAt,
  textOf,
} from './located.js'
import type { Reading } from './reading.js'
import { usesIn } from './variable-flow.js'

export function readActor({ name, key, value }: Entry, reading: Reading): Actor {
  const rights = itemsOf(member(value, 'rights'))
  for (const right of rights) {
    const [, party] = textOf(right).split(' ')
    if (party !== undefined) reading.references.push({ kind: 'party', name: party, location: right.location })
  }
  return { name, rights: rights.map(rightOf), ...(member(value, 'apart') && { apart: true }), location: key }
}

export function readToken({ name, key, value }: Entry, reading: Reading): TokenVariant {
  const claims = member(value, 'claims')
  reading.flows.push({ steps: [{ uses: usesIn(claims), captures: [], judging: [] }] })
  return {
    name,
    meaning: textAt(value, 'meaning'),
    ...(member(value, 'none') && { none: true }),
    ...given({
      header: optionalText(value, 'header'),
      claims: claims && claimsOf(claims),
      secret: optionalText(value, 'secret'),
      algorithm: optionalText(value, 'algorithm'),
      scheme: optionalText(value, 'scheme'),
    }),
    location: key,
  }
}

const rightOf = (node: Located): RightName => textOf(node) as RightName // the schema has checked its form

const claimsOf = (node: Located): Record<string, Data> =>
  Object.fromEntries(entriesOf(node).map(({ name, value }) => [name, dataOf(value)]))
