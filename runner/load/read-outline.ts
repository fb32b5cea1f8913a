import type { Section } from '../suite/suite.js'
import { entriesOf, itemsOf, type Located, member, textAt, textOf } from './located.js'

export function readSection(node: Located): Section {
  const reasons = entriesOf(member(node, 'without-rule'))
  return {
    name: textAt(node, 'section'),
    places: itemsOf(member(node, 'places')).map((item) => ({ name: textOf(item), place: item.place })),
    withoutRule: new Map(reasons.map(({ name, key, value }) => [name, { reason: textOf(value), place: key }])),
    place: node.place,
  }
}
