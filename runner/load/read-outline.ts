import type { InterfaceText, Section } from '../suite/suite.js'
import { entriesOf, itemsOf, type Located, member, textAt, textOf, textsAt } from './located.js'

export function readSection(node: Located): Section {
  const reasons = entriesOf(member(node, 'without-rule'))
  return {
    name: textAt(node, 'section'),
    passages: itemsOf(member(node, 'passages')).map((item) => ({ name: textOf(item), location: item.location })),
    withoutRule: new Map(reasons.map(({ name, key, value }) => [name, { reason: textOf(value), location: key }])),
    location: node.location,
  }
}

/** Which text the outline is of; undefined where it does not say. */
export function readText(root: Located): InterfaceText | undefined {
  const text = member(root, 'text')
  return text && textsAt(text, 'title', 'version', 'digest')
}
