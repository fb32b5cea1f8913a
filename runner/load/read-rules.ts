import type { Strength } from '../../record/record.js'
import type { Rule } from '../suite.js'
import { given, type Located, optionalText, textAt } from './located.js'

export function readRule(node: Located): Rule {
  return {
    id: textAt(node, 'id'),
    statement: textAt(node, 'statement'),
    strength: textAt(node, 'strength') as Strength, // the schema allows nothing else
    section: textAt(node, 'section'),
    ...given({ untestable: optionalText(node, 'untestable') }),
    place: node.place,
  }
}
