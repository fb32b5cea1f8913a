/** Reads the outline of the interface text, the rules and the unspecified behaviours. */
import type { OperationName } from '../../interface/operations.js'
import type { Strength } from '../../record/types/resolved-row.js'
import type { InterfaceText, Passage, Rule, Section, Suite, UnspecifiedBehaviour } from '../suite/suite.js'
import { type ShapedFile, validItems } from '../yaml/check-shape.js'
import {
  entriesOf,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalText,
  textAt,
  textOf,
  textsAt,
} from '../yaml/located.js'
import { addUnique, type Reading, refer } from './reading.js'

export function collectRules(
  files: readonly ShapedFile[],
  reading: Reading,
): Pick<Suite, 'text' | 'outline' | 'rules' | 'unspecified'> {
  const outlines = files.filter(({ kind }) => kind === 'outline')
  const outline = outlines.flatMap((file) => validItems(file, 'outline').map(readSection))
  const text = outlines.filter(({ broken }) => broken.size === 0).flatMap(({ root }) => readText(root) ?? [])[0]
  const rules: Suite['rules'] = new Map()
  const unspecified: Suite['unspecified'] = new Map()
  for (const file of files.filter(({ kind }) => kind === 'rules')) {
    const operations = operationsOf(validItems(file, 'operations'))
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

function readSection(node: Located): Section {
  const reasons = entriesOf(member(node, 'without-rule'))
  return {
    name: textAt(node, 'section'),
    passages: itemsOf(member(node, 'passages')).map((item) => ({ name: textOf(item), location: item.location })),
    withoutRule: new Map(reasons.map(({ name, key, value }) => [name, { reason: textOf(value), location: key }])),
    location: node.location,
  }
}

function readText(root: Located): InterfaceText | undefined {
  const text = member(root, 'text')
  return text && textsAt(text, 'title', 'version', 'digest')
}

/** `ofFile`: operations of rules without their own. */
function readRule(node: Located, ofFile: readonly OperationName[], reading: Reading): Rule {
  const own = operationsOf(itemsOf(member(node, 'operations')))
  return {
    id: textAt(node, 'id'),
    statement: textAt(node, 'statement'),
    strength: textAt(node, 'strength') as Strength, // by schema
    section: textAt(node, 'section'),
    passages: passagesOf(node),
    operations: own.length > 0 ? own : [...ofFile],
    ...omitUndefined({
      factOf: refer(reading, 'profile', member(node, 'fact-of')),
      untestable: optionalText(node, 'untestable'),
    }),
    location: node.location,
  }
}

function readUnspecified(node: Located, reading: Reading): UnspecifiedBehaviour {
  return {
    id: textAt(node, 'id'),
    question: textAt(node, 'question'),
    passages: passagesOf(node),
    ...omitUndefined({
      filledBy: refer(reading, 'profile', member(node, 'filled-by')),
      answer: optionalText(node, 'answer'),
    }),
    location: node.location,
  }
}

const operationsOf = (nodes: readonly Located[]): OperationName[] => nodes.map((node) => textOf(node) as OperationName) // by schema

/** `rule 2` is a passage of the rule's section; `Errors > item 1` names another section. */
function passagesOf(node: Located): Passage[] {
  const own = textAt(node, 'section')
  return itemsOf(member(node, 'passages')).map((item) => {
    const [name = '', section = own] = textOf(item).split(' > ').reverse()
    return { section, name, location: item.location }
  })
}
