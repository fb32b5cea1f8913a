import type { ConditionOutcome, Confidence, NamedOutcome, Place } from '../suite/suite.js'
import type { FindingList } from './finding-list.js'
import { type Entry, entriesOf, given, itemsOf, type Located, member, optionalText, textAt } from './located.js'
import { readNamedOutcome, readOutcome } from './read-outcome.js'
import type { Reading } from './reading.js'

/** What a profile says of one condition. */
export interface ConditionText {
  /** With the highest protocol version, or whatever the version. */
  outcome: ConditionOutcome
  /** By protocol version, where it makes a difference. */
  versions: Map<number, ConditionOutcome>
}

export function readConditionOutcome({ name, key, value }: Entry, reading: Reading): ConditionText {
  reading.references.push({ kind: 'condition', name, place: key })
  const common = {
    condition: name,
    // The schema allows nothing else.
    confidence: (optionalText(value, 'confidence') as Confidence | undefined) ?? 'observed',
    source: textAt(value, 'source'),
    place: key,
  }
  const several = member(value, 'by-protocol-version')
  const outcomeOf = (node: Located): ConditionOutcome => ({ ...common, ...readWay(name, node, reading.findings) })
  if (!several) return { outcome: outcomeOf(value), versions: new Map() }
  const versions = entriesOf(several)
    .map((entry): [number, ConditionOutcome] => [Number(entry.name), outcomeOf(entry.value)])
    .sort(([a], [b]) => a - b)
  const [, highest] = versions.at(-1) ?? [0, outcomeOf(value)]
  return { outcome: highest, versions: new Map(versions) }
}

/** The divergences that a condition names, those of single protocol versions included. */
export function divergencesNamedIn(node: Located): { id: string; place: Place }[] {
  const versions = entriesOf(member(node, 'by-protocol-version')).map(({ value }) => value)
  return [node, ...versions].flatMap((one) => {
    const named = member(one, 'divergence')
    return named ? [{ id: textAt(one, 'divergence'), place: named.place }] : []
  })
}

function readWay(
  name: string,
  node: Located,
  findings: FindingList,
): Pick<ConditionOutcome, 'accepted' | 'alternatives' | 'divergence'> {
  const accepted = member(node, 'accepted') !== undefined
  const alternatives = accepted ? [] : alternativesOf(name, node, findings)
  return { accepted, alternatives, ...given({ divergence: optionalText(node, 'divergence') }) }
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
