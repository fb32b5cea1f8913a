import type { Confidence, Divergence, Matcher, Outcome, Place, Profile } from '../suite/suite.js'
import { entriesOf, given, itemsOf, type Located, member, optionalNumber, optionalText, textAt } from './located.js'
import { type ConditionText, divergencesNamedIn, readConditionOutcome } from './read-condition-outcomes.js'
import { readMatchers } from './read-matcher.js'
import { readOutcome } from './read-outcome.js'
import { firstAt, type Reading, refer } from './reading.js'
import { usesIn } from './sequence.js'

/** What one file says; what it takes from others is not in it yet. */
export interface ProfileText {
  name: string
  title: string
  extends?: string
  basis?: Profile['basis']
  confidence?: Confidence
  accepted?: Outcome
  refused?: Outcome
  forms: Map<string, Matcher>
  conditions: Map<string, ConditionText>
  divergences: Divergence[]
  /** Divergences that conditions name. */
  named: { id: string; place: Place }[]
  place: Place
}

export function readProfile(root: Located, reading: Reading): ProfileText {
  const accepted = member(root, 'accepted')
  const refused = member(root, 'refused')
  const conditions = entriesOf(member(root, 'conditions'))
  const confidence = confidenceOf(root)
  return {
    name: textAt(root, 'profile'),
    title: textAt(root, 'title'),
    ...given({
      extends: refer(reading, 'profile', member(root, 'extends')),
      basis: optionalText(root, 'basis') as Profile['basis'] | undefined, // the schema allows nothing else
      confidence,
      accepted: accepted && readOutcome(accepted),
      refused: refused && readOutcome(refused),
    }),
    forms: readMatchers(member(root, 'forms'), reading),
    conditions: new Map(conditions.map((condition) => [condition.name, readConditionOutcome(condition, reading)])),
    divergences: readDivergences(itemsOf(member(root, 'divergences')), reading),
    named: conditions.flatMap(({ value }) => divergencesNamedIn(value)),
    place: member(root, 'profile')?.place ?? root.place,
  }
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
    return {
      id,
      rule: textAt(node, 'rule'),
      statement: textAt(node, 'statement'),
      confidence: confidenceOf(node) ?? 'observed',
      source: textAt(node, 'source'),
      ...given({ protocolVersion: optionalNumber(node, 'protocol-version') }),
      expect: readMatchers(member(node, 'expect'), reading),
      place: node.place,
    }
  })
}

const confidenceOf = (node: Located): Confidence | undefined =>
  optionalText(node, 'confidence') as Confidence | undefined // the schema allows nothing else
