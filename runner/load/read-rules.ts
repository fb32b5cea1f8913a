import type { OperationName } from '../../interface/operations.js'
import type { Strength } from '../../record/resolved-row.js'
import type { Passage, Rule, UnspecifiedBehaviour } from '../suite/suite.js'
import { given, itemsOf, type Located, member, optionalText, textAt, textOf } from './located.js'
import { type Reading, refer } from './reading.js'

/** `ofFile`: the operations that the file names for all its rules. */
export function readRule(node: Located, ofFile: readonly OperationName[], reading: Reading): Rule {
  const own = operationsOf(itemsOf(member(node, 'operations')))
  return {
    id: textAt(node, 'id'),
    statement: textAt(node, 'statement'),
    strength: textAt(node, 'strength') as Strength, // the schema allows nothing else
    section: textAt(node, 'section'),
    passages: passagesOf(node),
    operations: own.length > 0 ? own : [...ofFile],
    ...given({
      factOf: refer(reading, 'profile', member(node, 'fact-of')),
      untestable: optionalText(node, 'untestable'),
    }),
    location: node.location,
  }
}

export function readUnspecified(node: Located, reading: Reading): UnspecifiedBehaviour {
  return {
    id: textAt(node, 'id'),
    question: textAt(node, 'question'),
    passages: passagesOf(node),
    ...given({
      filledBy: refer(reading, 'profile', member(node, 'filled-by')),
      answer: optionalText(node, 'answer'),
    }),
    location: node.location,
  }
}

export const operationsOf = (nodes: readonly Located[]): OperationName[] =>
  nodes.map((node) => textOf(node) as OperationName) // the schema allows nothing else

/** `rule 2` is a passage of the rule's own section, `Errors > item 1` one of another. */
function passagesOf(node: Located): Passage[] {
  const own = textAt(node, 'section')
  return itemsOf(member(node, 'passages')).map((item) => {
    const [name = '', section = own] = textOf(item).split(' > ').reverse()
    return { section, name, location: item.location }
  })
}
