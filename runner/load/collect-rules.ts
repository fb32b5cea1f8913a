import type { OperationName } from '../../interface/operations.js'
import { camelCased } from '../../lib/camel-case.js'
import type { Shapes } from '../suite/shapes.js'
import type { Passage, Rule, Section, Suite, UnspecifiedBehaviour } from '../suite/suite.js'
import { filesOf, type ShapedFile, validItems } from '../yaml/check-shape.js'
import { dataOf, entriesOf, itemsOf, type Located, member } from '../yaml/located.js'
import { addUnique, type Reading, refer } from './reading.js'

export function collectRules(
  files: readonly ShapedFile[],
  reading: Reading,
): Pick<Suite, 'text' | 'outline' | 'rules' | 'unspecified'> {
  const outlines = filesOf(files, 'outline')
  const outline = outlines.flatMap((file) => validItems(file, 'outline').map(readSection))
  const text = outlines.filter(({ broken }) => broken.size === 0).flatMap(({ root }) => dataOf(root).text ?? [])[0]
  const rules: Suite['rules'] = new Map()
  const unspecified: Suite['unspecified'] = new Map()
  for (const file of filesOf(files, 'rules')) {
    const operations = validItems(file, 'operations').map(dataOf)
    for (const node of validItems(file, 'rules')) {
      const rule = readRule(node, operations, reading)
      addUnique(rules, rule.id, rule, 'rule', reading.findings)
    }
    for (const node of validItems(file, 'unspecified')) {
      const behaviour = readUnspecified(node, reading)
      addUnique(unspecified, behaviour.id, behaviour, 'unspecified behaviour', reading.findings)
    }
  }
  return { ...(text && { text }), outline, rules, unspecified }
}

function readSection(node: Located<Shapes['section']>): Section {
  const reasons = entriesOf(member(node, 'without-rule'))
  return {
    name: dataOf(node).section,
    passages: itemsOf(member(node, 'passages')).map((item) => ({ name: dataOf(item), location: item.location })),
    withoutRule: new Map(reasons.map(({ name, key, value }) => [name, { reason: dataOf(value), location: key }])),
    location: node.location,
  }
}

/** `ofFile`: operations of rules without their own. */
function readRule(node: Located<Shapes['rule']>, ofFile: OperationName[], reading: Reading): Rule {
  const { operations = ofFile, ...rule } = camelCased(dataOf(node))
  refer(reading, 'profile', member(node, 'fact-of'))
  return { ...rule, passages: passagesOf(rule.section, member(node, 'passages')), operations, location: node.location }
}

function readUnspecified(node: Located<Shapes['unspecified']>, reading: Reading): UnspecifiedBehaviour {
  const { section, ...behaviour } = camelCased(dataOf(node))
  refer(reading, 'profile', member(node, 'filled-by'))
  return { ...behaviour, passages: passagesOf(section, member(node, 'passages')), location: node.location }
}

/** `Errors > item 1` names another section. */
const passagesOf = (own: string, passages: Located<string[]> | undefined): Passage[] =>
  itemsOf(passages).map((item) => {
    const [name = '', section = own] = dataOf(item).split(' > ').reverse()
    return { section, name, location: item.location }
  })
