import type { ConditionOutcome, Divergence, Matcher, NamedOutcome, Outcome, Place, Profile } from '../suite.js'
import type { FindingList } from './finding-list.js'
import { type Entry, entriesOf, given, itemsOf, type Located, member, optionalText, textAt } from './located.js'
import { readMatchers } from './read-matcher.js'
import { readNamedOutcome, readOutcome } from './read-outcome.js'
import { firstAt, type Reading, refer } from './reading.js'
import { usesIn } from './sequence.js'

/** What one file says; what it takes from others is not in it yet. */
export interface ProfileText {
  name: string
  title: string
  extends?: string
  basis?: Profile['basis']
  accepted?: Outcome
  refused?: Outcome
  conditions: Map<string, ConditionOutcome>
  divergences: Divergence[]
  /** Divergences that conditions name. */
  named: { id: string; place: Place }[]
  place: Place
}

export function readProfile(root: Located, reading: Reading): ProfileText {
  const accepted = member(root, 'accepted')
  const refused = member(root, 'refused')
  const conditions = entriesOf(member(root, 'conditions'))
  return {
    name: textAt(root, 'profile'),
    title: textAt(root, 'title'),
    ...given({
      extends: refer(reading, 'profile', member(root, 'extends')),
      basis: optionalText(root, 'basis') as Profile['basis'] | undefined, // the schema allows nothing else
      accepted: accepted && readOutcome(accepted),
      refused: refused && readOutcome(refused),
    }),
    conditions: new Map(conditions.map((condition) => [condition.name, readCondition(condition, reading)])),
    divergences: readDivergences(itemsOf(member(root, 'divergences')), reading),
    named: conditions.flatMap(({ value }) => {
      const node = member(value, 'divergence')
      return node ? [{ id: textAt(value, 'divergence'), place: node.place }] : []
    }),
    place: member(root, 'profile')?.place ?? root.place,
  }
}

function readCondition({ name, key, value }: Entry, reading: Reading): ConditionOutcome {
  reading.references.push({ kind: 'condition', name, place: key })
  const accepted = member(value, 'accepted') !== undefined
  return {
    condition: name,
    accepted,
    alternatives: accepted ? [] : alternativesOf(name, value, reading.findings),
    ...given({ divergence: optionalText(value, 'divergence') }),
    source: textAt(value, 'source'),
    place: key,
  }
}

function alternativesOf(name: string, node: Located, findings: FindingList): NamedOutcome[] {
  const several = member(node, 'any-of')
  const nodes = several ? itemsOf(several) : [node]
  const names = new Set<string>()
  return nodes.map((item) => {
    const outcome = several ? readNamedOutcome(item) : { name, ...readOutcome(item) }
    if (names.has(outcome.name))
      findings.add(item.place, `another alternative is called "${outcome.name}" already`, 'choose another name')
    names.add(outcome.name)
    if (Object.keys(outcome).length === 1) {
      findings.add(item.place, `nothing is said of how "${outcome.name}" looks`, 'give at least a status or a code')
    }
    return outcome
  })
}

function readDivergences(nodes: readonly Located[], reading: Reading): Divergence[] {
  const known = new Map<string, Place>()
  return nodes.map((node) => {
    const id = textAt(node, 'id')
    const first = known.get(id)
    if (first) reading.findings.add(node.place, `the divergence "${id}" is there already`, firstAt(first))
    known.set(id, node.place)
    const rule = member(node, 'rule')
    if (rule) refer(reading, 'rule', rule)
    reading.sequences.push({ steps: [{ uses: [], captures: [], judging: usesIn(member(node, 'expect')) }] })
    const expect: Map<string, Matcher> = readMatchers(member(node, 'expect'), reading.findings)
    const statement = textAt(node, 'statement')
    return { id, rule: textAt(node, 'rule'), statement, source: textAt(node, 'source'), expect, place: node.place }
  })
}
