import type { OperationName } from '../../interface/operations.js'
import type { Listed, Suite } from '../suite/suite.js'
import { entriesOf, itemsOf, type Located, member } from './located.js'
import { type Reading, type ReferenceKind, refer } from './reading.js'

/** What suite.yaml says of rules and situations that still wait for cases. */
export function readGaps(root: Located, reading: Reading): Suite['gaps'] {
  const listed = (kind: ReferenceKind, node: Located | undefined): Listed[] =>
    itemsOf(node).map((item) => ({ name: refer(reading, kind, item), location: item.location }))
  const rules = entriesOf(member(root, 'cases-not-written-yet'))
  return {
    // The schema allows no other names than those of operations.
    rules: new Map(rules.map(({ name, value }) => [name as OperationName, listed('rule', value)])),
    situations: listed('situation', member(root, 'situations-not-used-yet')),
  }
}
