import type { OperationName } from '../../interface/operations.js'
import type { Strength } from '../../record/record.js'
import type { OpenPoint, Origin, Rule } from '../suite/suite.js'
import { given, itemsOf, type Located, member, optionalText, textAt, textOf } from './located.js'
import { type Reading, refer } from './reading.js'

/** `ofFile`: the operations that the file names for all its rules. */
export function readRule(node: Located, ofFile: readonly OperationName[]): Rule {
  const own = operationsOf(itemsOf(member(node, 'operations')))
  return {
    id: textAt(node, 'id'),
    statement: textAt(node, 'statement'),
    strength: textAt(node, 'strength') as Strength, // the schema allows nothing else
    section: textAt(node, 'section'),
    origins: originsOf(node),
    operations: own.length > 0 ? own : [...ofFile],
    ...given({ untestable: optionalText(node, 'untestable') }),
    place: node.place,
  }
}

export function readOpenPoint(node: Located, reading: Reading): OpenPoint {
  return {
    id: textAt(node, 'id'),
    question: textAt(node, 'question'),
    origins: originsOf(node),
    ...given({
      filledBy: refer(reading, 'profile', member(node, 'filled-by')),
      answer: optionalText(node, 'answer'),
    }),
    place: node.place,
  }
}

export const operationsOf = (nodes: readonly Located[]): OperationName[] =>
  nodes.map((node) => textOf(node) as OperationName) // the schema allows nothing else

/** `rule 2` is a place of the rule's own section, `Errors > item 1` one of another. */
function originsOf(node: Located): Origin[] {
  const own = textAt(node, 'section')
  return itemsOf(member(node, 'places')).map((item) => {
    const [name = '', section = own] = textOf(item).split(' > ').reverse()
    return { section, name, place: item.place }
  })
}
